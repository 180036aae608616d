// A case whose task is a Markdown command: the very command, run by the trial's agent in the trial's folder.

import { asRecord } from "../../agents/json-fields.ts";
import { RUN_LOG } from "../../agents/run-log.ts";
import type { CaseTask } from "../../bench/suite.ts";
import type { TaskOutcome, TaskRun } from "../../bench/trials/trial-shop.ts";
import type { BenchPlace } from "./bench-place.ts";

type CommandTask = Extract<CaseTask, { kind: "command" }>;

export async function runCommandTask(
  { name, args }: CommandTask,
  { agent, folder, timeoutMs, signal }: TaskRun,
  { context }: BenchPlace,
): Promise<TaskOutcome> {
  const settings = Object.entries(agent.config).flatMap(([key, value]) => [
    "--param",
    `${key.replaceAll("_", "-")}=${JSON.stringify(value)}`,
  ]);
  const outcome = await context.dispatch({
    name,
    args: [...args, "--agent", agent.agent, "--timeout", `${timeoutMs}ms`, ...settings],
    workingDirectory: folder,
    signal,
  });
  const log = RUN_LOG.safeParse(asRecord(outcome.result.metadata).log);
  if (!log.success)
    throw new Error(
      `\`${name}\` ran no agent: ${String(outcome.result.errorOutput ?? outcome.kind)}`,
    );
  const prompt = log.data.messages.find(({ role }) => role === "user")?.content ?? `\`${name}\``;
  return { log: log.data, prompt };
}
