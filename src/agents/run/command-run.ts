// A run of an agent on behalf of a command: its folder in the state folder, what is shown while it goes
// on, and the command's result.
import type { CommandContext, JsonValue } from "../../core/command/context.ts";
import type { EventType } from "../../core/command/event.ts";
import { Fault, fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { parseDuration } from "../../core/command/time.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { depthOf } from "../../core/process/environment.ts";
import { listExactValues, secretValues } from "../../core/secrets/mask.ts";
import type { LogEvent } from "../log/event.ts";
import { maskTexts } from "../log/json-fields.ts";
import { makeRunFolder, saveLog } from "../log/run-files.ts";
import { answerText, type RunLog } from "../log/run-log.ts";
import type { AgentAdapter, AgentCommand } from "./adapter.ts";
import { type AgentSearch, type LocatedAgent, locateAgent } from "./availability.ts";
import type { AgentRunRequest } from "./prepare-run.ts";
import { logRefusal, type RunAgentOptions, runAgent } from "./run-agent.ts";

interface CommandRunRequest {
  readonly adapter: AgentAdapter;
  readonly request: Omit<AgentRunRequest, "runId" | "logDir">;
  readonly retries: number;
  /** Everything as JSON, one object per line, instead of the answer. */
  readonly asEvents: boolean;
  /** Texts that the log must not keep. */
  readonly secrets?: readonly string[];
  /** The raw output is kept as it came. */
  readonly isRaw?: boolean;
}

export interface CommandRun extends PerformedRun {
  readonly logDir: string;
  readonly logPath: string;
}

export async function runForCommand(
  { adapter, request, retries, asEvents, secrets = [], isRaw = false }: CommandRunRequest,
  { context, program }: BundledContext,
): Promise<CommandRun> {
  const folder = makeRunFolder(program.stateDir);
  let logPath = "";
  const run = await performRun(
    adapter,
    { ...request, ...folder },
    {
      signal: context.signal,
      retries,
      secrets,
      isRaw,
      onEvent: createEventPrinter(context, asEvents),
      publish: (type, data) => program.publish(context, type, data),
      keepLog: (keptLog) => {
        logPath = saveLog(folder.logDir, keptLog);
      },
    },
  );
  return { ...run, logDir: folder.logDir, logPath };
}

interface MissingRun {
  readonly adapter: AgentAdapter;
  /** As far as it is known by then. */
  readonly config: unknown;
  readonly workspaceDir: string;
}

/** Where the agent is, for a run that is about to begin: one whose agent is not here is on record and has a log, too. */
export async function locateForRun(
  { adapter, config, workspaceDir }: MissingRun,
  search: AgentSearch,
  { context, program }: BundledContext,
): Promise<LocatedAgent> {
  try {
    return await locateAgent(adapter, search);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "AgentMissing") throw error;
    const { runId, logDir } = makeRunFolder(program.stateDir);
    program.publish(context, "AgentRunStarted", { agent: adapter.name, runId });
    const refusal = { reason: "CLI_NOT_FOUND", message: error.message, path: null } as const;
    const { log } = logRefusal(adapter, { config, runId, workspaceDir }, [refusal]);
    const logPath = saveLog(logDir, maskTexts(log, secretValues(context.env.forChild())));
    program.publish(context, "AgentRunCompleted", describeCompleted(log));
    const metadata = { agent: adapter.name, model: log.model_info.name, runId, logPath, log };
    throw new Fault("AgentMissing", error.facts, error.message, {
      reportedCode: error.reportedCode,
      partial: { output: "", metadata },
    });
  }
}

/** Shows events as they come: the answer for people, everything for programs. */
export function createEventPrinter(
  context: Pick<CommandContext, "write" | "progress">,
  asData: boolean,
): (event: LogEvent) => void {
  let isLineOpen = false;
  const print = (text: string) => {
    if (text === "") return;
    context.write(text);
    isLineOpen = !text.endsWith("\n");
  };
  const endLine = () => {
    if (isLineOpen) print("\n");
  };
  if (asData) return (event) => print(`${JSON.stringify(event)}\n`);
  return (event) => {
    if (event.kind === "delta" && event.channel === "answer" && event.parent === null)
      print(event.text);
    if (event.kind === "message" && event.role === "assistant" && event.parent === null) {
      if (!event.isStreamed) print(event.content);
      endLine();
    }
    if (event.kind === "tool_call") {
      endLine();
      context.progress(`${event.name} …`);
    }
    if (event.kind === "final") endLine();
  };
}

/** Writes the one line that ends a stream of events. */
export const writeLastEvent = (log: RunLog, context: CommandContext): Promise<void> =>
  context.write(`${JSON.stringify({ kind: "result", log })}\n`);

/** The answer, or the first thing that went wrong; either way with what is known of the run. */
export function concludeAgentRun(
  log: RunLog,
  logPath: string,
  facts: Readonly<Record<string, unknown>> = { log },
): CommandResult {
  const { name: agent } = log.agent_info;
  const metadata = { agent, model: log.model_info.name, runId: log.run_id, logPath, ...facts };
  const output = answerText(log);
  if (log.execution.status === "success") return ok(output, metadata);
  const [first] = log.errors;
  throw fault(
    "AgentRunFailed",
    { agent, problem: first?.message ?? `it ended as ${log.execution.status}` },
    {
      exitCode: decideExit(log),
      partial: { output, metadata },
      hint: `see \`adj agent log ${log.run_id}\``,
      ...(first === undefined ? {} : { reportedCode: first.code }),
    },
  );
}

/** The settings were refused before anything was started: that is the caller's mistake, not the agent's failure. */
const isRefusedConfig = ({ errors: [first], execution }: RunLog): boolean =>
  execution.exit_code === null && (first?.code.endsWith("_INVALID_CONFIG") ?? false);

export const decideExit = (log: RunLog): number =>
  isRefusedConfig(log) ? 2 : decideRunExit(log.execution);

/** A run that did not succeed never ends with 0, whatever its program said. */
export function decideRunExit({ status, exit_code: exitCode }: RunLog["execution"]): number {
  if (status === "timeout") return 124;
  if (status === "cancelled") return 130;
  return exitCode === null || exitCode === 0 ? 1 : exitCode;
}

/** `10m` in milliseconds; `none` is 0. */
export function readTimeout(timeout: string, command: string): number {
  const limit = timeout === "none" ? 0 : parseDuration(timeout);
  if (limit !== null) return limit;
  const problem = "`--timeout` must be a duration such as `10m`, or `none`";
  throw fault("ArgumentsInvalid", { command, problem });
}

// The one wrapper around a run of an agent, whoever asks for it: two events on record, the depth of
// agents in its environment, and a log that may be kept.

interface PerformRunOptions extends RunAgentOptions {
  readonly publish: (type: EventType, data: Readonly<Record<string, JsonValue>>) => void;
  /** Keeps the log; called before the run is on record as completed. */
  readonly keepLog?: (keptLog: RunLog) => void;
}

interface PerformedRun {
  readonly log: RunLog;
  /** The log with secrets masked, which may be kept and shown to others. */
  readonly keptLog: RunLog;
  /** The command line as it was built; null where the configuration was refused. */
  readonly command: AgentCommand | null;
}

/** Every ending of the agent is a value; see `runAgent`. */
export async function performRun(
  adapter: AgentAdapter,
  request: AgentRunRequest,
  { publish, keepLog, ...options }: PerformRunOptions,
): Promise<PerformedRun> {
  const { runId } = request;
  publish("AgentRunStarted", { agent: adapter.name, runId });
  const env = { ...request.env, ADJ_DEPTH: String(depthOf(request.env) + 1) };
  // What the environment names a secret is one wherever it turns up.
  const secrets = [...listExactValues(options.secrets ?? []), ...secretValues(request.env)];
  const { log, command } = await runAgent(adapter, { ...request, env }, { ...options, secrets });
  const keptLog = maskTexts(log, secrets);
  keepLog?.(keptLog);
  publish("AgentRunCompleted", describeCompleted(log));
  return { log, keptLog, command };
}

const describeCompleted = ({ agent_info, run_id, execution, errors, usage }: RunLog) => ({
  agent: agent_info.name,
  runId: run_id,
  status: execution.status,
  error: errors[0]?.code ?? null,
  durationMs: execution.duration_ms,
  tokens: usage.total_tokens,
});
