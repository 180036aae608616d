// `adj agent run`: choose, locate, run, keep the log, and answer with what the agent said.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentAdapter } from "../../agents/adapter.ts";
import { checkAvailability } from "../../agents/availability.ts";
import { pickEnvironment } from "../../agents/pick-environment.ts";
import { requireAgent } from "../../agents/roster.ts";
import { type AgentRun, DEFAULT_TIMEOUT_MS, runAgent } from "../../agents/run-agent.ts";
import type { CommandContext } from "../../command/context.ts";
import { parseDuration } from "../../command/duration.ts";
import { fault } from "../../command/fault.ts";
import type { CommandResult } from "../../command/result.ts";
import { newId } from "../../new-id.ts";
import { findChosen } from "../agent-choice.ts";
import type { Program } from "../program.ts";
import type { AgentArguments } from "./agent-arguments.ts";
import { concludeRun } from "./conclude-run.ts";
import { configuredPath } from "./configured-path.ts";
import { readRunConfig } from "./run-config.ts";
import { makeRunFolder, saveLog } from "./run-files.ts";
import { createEventShow } from "./show-event.ts";

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
  const located = await locate(adapter, context, program);
  const config = await readRunConfig(args, { adapter, context, chosenModel: chosen.model.value });
  const runId = `${new Date().toISOString().replaceAll(/[-:.]/g, "").slice(0, 15)}-${newId().slice(0, 8)}`;
  const logDir = makeRunFolder(program.stateDir, runId);
  program.publish(context, "AgentRunStarted", { agent: name, runId });
  const run = await runAgent(
    adapter,
    {
      config,
      workspaceDir: resolve(context.workingDirectory, args.workspace ?? "."),
      timeout: readTimeout(args.timeout),
      env: pickEnvironment(adapter, context.env.forChild()),
      runId,
      logDir,
      ...located,
    },
    {
      signal: context.signal,
      retries: args.retries,
      onEvent: createEventShow(context, args.events),
    },
  );
  return conclude(run, args, { context, program, logDir });
}

async function locate(adapter: AgentAdapter, context: CommandContext, program: Program) {
  const env = pickEnvironment(adapter, context.env.forChild());
  const path = configuredPath(await program.settings(), adapter.name);
  const cwd = context.workingDirectory;
  const here = await checkAvailability(adapter, { env, cwd, configuredPath: path });
  if (!here.available)
    throw fault(
      "AgentMissing",
      { agent: adapter.name, problem: here.problem ?? "it was not found" },
      { reportedCode: `${adapter.codePrefix}_CLI_NOT_FOUND` },
    );
  return {
    ...(here.path === undefined ? {} : { program: here.path }),
    agentVersion: here.version ?? null,
  };
}

function readTimeout(timeout: string | undefined): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  const limit = timeout === "none" ? 0 : parseDuration(timeout);
  if (limit !== null) return limit;
  const problem = "`--timeout` must be a duration such as `10m`, or `none`";
  throw fault("ArgumentsInvalid", { command: "agent", problem });
}

interface Place {
  readonly context: CommandContext;
  readonly program: Program;
  readonly logDir: string;
}

async function conclude(
  { log }: AgentRun,
  args: AgentArguments,
  { context, program, logDir }: Place,
): Promise<CommandResult> {
  const logPath = saveLog(logDir, log);
  await writeCopies(args, { log, logDir, cwd: context.workingDirectory });
  const { status, duration_ms: durationMs } = log.execution;
  program.publish(context, "AgentRunCompleted", {
    agent: log.agent_info.name,
    runId: log.run_id,
    status,
    error: log.errors[0]?.code ?? null,
    durationMs,
    tokens: log.usage.total_tokens,
  });
  if (args.events) await context.write(`${JSON.stringify({ kind: "result", log })}\n`);
  return concludeRun(log, logPath);
}

async function writeCopies(
  { logFormat, otel, record }: AgentArguments,
  { log, logDir, cwd }: { log: AgentRun["log"]; logDir: string; cwd: string },
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
