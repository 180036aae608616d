// A case whose task is a Markdown command: the very command, run by the trial's agent in the trial's folder.

import { dirname } from "node:path";
import { asRecord } from "../../agents/json-fields.ts";
import type { CaseTask } from "../../bench/suite.ts";
import type { TaskOutcome, TaskRun } from "../../bench/trials/trial-shop.ts";
import { readLog } from "../agent/run-files.ts";
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
  const { logPath } = asRecord(outcome.result.metadata);
  if (typeof logPath !== "string")
    throw new Error(
      `\`${name}\` ran no agent: ${String(outcome.result.errorOutput ?? outcome.kind)}`,
    );
  const log = readLog(dirname(logPath));
  const prompt = log.messages.find(({ role }) => role === "user")?.content ?? `\`${name}\``;
  return { log, prompt };
}
