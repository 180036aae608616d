// `adj agent run`: choose, locate, run, keep the log, and answer with what the agent said.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pickEnvironment } from "../../agents/pick-environment.ts";
import { requireAgent } from "../../agents/roster.ts";
import { DEFAULT_TIMEOUT_MS } from "../../agents/run-agent.ts";
import type { RunLog } from "../../agents/run-log.ts";
import type { CommandContext } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import type { CommandResult } from "../../command/result.ts";
import { findChosen } from "../agent-choice.ts";
import type { Program } from "../program.ts";
import type { AgentArguments } from "./agent-arguments.ts";
import { concludeRun } from "./conclude-run.ts";
import { locateAgent } from "./locate-agent.ts";
import { performRun, writeLastEvent } from "./perform-run.ts";
import { readRunConfig } from "./run-config.ts";
import { readTimeout } from "./run-timeout.ts";

export async function startRun(
  args: AgentArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const chosen = await findChosen(context, program, await context.session.get());
  const name = args.subject ?? chosen.agent.value;
  if (name === null)
    throw fault(
      "ArgumentsInvalid",
      { command: "agent", problem: "no agent is named and none is chosen" },
      { hint: "`adj agent list` shows which are here" },
    );
  const adapter = requireAgent(name);
  const located = await locateAgent(adapter, context, program);
  const config = await readRunConfig(args, { adapter, context, chosenModel: chosen.model.value });
  const request = {
    config,
    workspaceDir: resolve(context.workingDirectory, args.workspace ?? "."),
    timeout: args.timeout === undefined ? DEFAULT_TIMEOUT_MS : readTimeout(args.timeout, "agent"),
    env: pickEnvironment(adapter, context.env.forChild()),
    ...located,
  };
  const wish = { adapter, request, retries: args.retries, asEvents: args.events };
  const { log, logDir, logPath } = await performRun(wish, { context, program });
  await writeCopies(args, { log, logDir, cwd: context.workingDirectory });
  if (args.events) await writeLastEvent(log, context);
  return concludeRun(log, logPath);
}

async function writeCopies(
  { logFormat, otel, record }: AgentArguments,
  { log, logDir, cwd }: { log: RunLog; logDir: string; cwd: string },
): Promise<void> {
  const write = (file: string, value: unknown) =>
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  if (logFormat === "youbencha") {
    const { toYoubenchaLog } = await import("../../agents/export/youbencha-log.ts");
    write(join(logDir, "youbencha-log.json"), toYoubenchaLog(log));
  }
  if (otel !== undefined) {
    const { toOtelSpans } = await import("../../agents/export/otel-spans.ts");
    write(resolve(cwd, otel), toOtelSpans(log));
  }
  if (record !== undefined) {
    const { recordCassette } = await import("../../agents/replay/record-cassette.ts");
    write(resolve(cwd, record), recordCassette(log));
  }
}
