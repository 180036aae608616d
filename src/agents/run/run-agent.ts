// One agent run from the user's configuration to the log: checked, executed, tried again if asked.
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { asRecord, freezeDeep } from "../../core/project/json-value.ts";
import { LogCollector } from "../log/collect-log.ts";
import { composeLog, describeEnvironment } from "../log/compose-log.ts";
import { isTransient, reasonOfCode } from "../log/error-reasons.ts";
import { asName } from "../log/json-fields.ts";
import type { RunLog } from "../log/run-log.ts";
import type {
  AgentAdapter,
  AgentCommand,
  AgentExecutionContext,
  AgentExecutionResult,
  AgentRunPlan,
  ExecuteOptions,
} from "./adapter.ts";
import type { AgentConfig } from "./config.ts";
import { executeAgent } from "./execute.ts";
import { type AgentRunRequest, prepareRun, type Refusal } from "./prepare-run.ts";
import { markWorkspace } from "./workspace.ts";

export interface RunAgentOptions extends ExecuteOptions {
  /** Further tries after a rate limit, an overload or a network failure; none by default. */
  readonly retries?: number;
}

export interface AgentRun {
  readonly result: AgentExecutionResult;
  readonly log: RunLog;
  /** The command line as it was built, also where the run was refused afterwards. */
  readonly command: AgentCommand | null;
}

export const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * One run, by an adapter that may be your own; every ending is a value, a refused configuration too.
 *
 * @example
 * const place = { workspaceDir: "/tmp", logDir: "/tmp/log", runId: "r1", env: {}, timeout: 60_000 };
 * const { log } = await runAgent(await requireAdapter("replay"), { ...place, config: { cassette: "explain-repository" } });
 */
export async function runAgent(
  adapter: AgentAdapter,
  request: AgentRunRequest,
  options: RunAgentOptions = {},
): Promise<AgentRun> {
  const prepared = await prepareRun(adapter, request);
  if (prepared.kind === "refused")
    return { ...logRefusal(adapter, request, prepared.errors), command: prepared.command };
  const { context, command } = prepared.plan;
  const result = await executeWithRetries(adapter, prepared.plan, options);
  return { result, log: normalizeLog(adapter, result, context), command };
}

async function executeWithRetries(
  adapter: AgentAdapter,
  plan: AgentRunPlan,
  options: RunAgentOptions,
): Promise<AgentExecutionResult> {
  const { context } = plan;
  const { settings } = context.config;
  const countsOn = settings.resume !== undefined && adapter.resuming?.countsOn === true;
  const allowed = options.retries ?? 0;
  const before = allowed > 0 ? await markWorkspace(context.workspaceDir) : null;
  const earlier: AgentExecutionResult["errors"][number][] = [];
  let attempt = plan;
  for (let made = 0; ; made++) {
    const result = await executeAgent(adapter, attempt, { ...options, countsOn });
    const isWorkspaceUnchanged =
      before !== null && before === (await markWorkspace(context.workspaceDir));
    const facts = { made, allowed, isWorkspaceUnchanged, chance: Math.random() };
    const delay = decideRetry(result, facts);
    if (delay === null || !(await waitFor(delay, options.signal)))
      return withEarlierErrors(result, earlier);
    for (const error of result.errors)
      earlier.push({ ...error, context: { ...error.context, try: made + 1 } });
    attempt = planAgain(adapter, context, join(context.logDir, `retry-${made + 1}`));
  }
}

/** A run that came to nothing tells what the tries before its last one failed by; one that succeeded has no errors to tell. */
const withEarlierErrors = (
  result: AgentExecutionResult,
  earlier: AgentExecutionResult["errors"],
): AgentExecutionResult =>
  earlier.length === 0 || result.execution.status === "success"
    ? result
    : freezeDeep({ ...result, errors: [...result.errors, ...earlier] });

/** Each try has all of its time, and a folder of its own, which the command line may name. */
function planAgain(
  adapter: AgentAdapter,
  first: AgentExecutionContext,
  logDir: string,
): AgentRunPlan {
  const context = { ...first, logDir };
  return { context, command: adapter.buildCommand(context) };
}

/** Resolves to false where the wait was cancelled. */
const waitFor = (delayMs: number, signal: AbortSignal | undefined): Promise<boolean> =>
  wait(delayMs, true, signal === undefined ? {} : { signal }).catch(() => false);

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

interface RetryFacts {
  /** Retries made so far. */
  readonly made: number;
  readonly allowed: number;
  readonly isWorkspaceUnchanged: boolean;
  /** A random number from 0 to 1. */
  readonly chance: number;
}

/** How long to wait before the next try; null where there is to be none. */
function decideRetry(
  { execution, errors }: Pick<AgentExecutionResult, "execution" | "errors">,
  { made, allowed, isWorkspaceUnchanged, chance }: RetryFacts,
): number | null {
  if (execution.status !== "failed" || made >= allowed || !isWorkspaceUnchanged) return null;
  if (!errors.some(({ code }) => isTransient(reasonOfCode(code)))) return null;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** made, MAX_DELAY_MS);
  return Math.round(delay * (0.5 + chance));
}

const PARAMETERS = ["max_tokens", "temperature", "max_turns"] as const;

function normalizeLog(
  adapter: AgentAdapter,
  result: AgentExecutionResult,
  {
    config,
    runId,
    workspaceDir,
    agentVersion,
  }: Pick<AgentExecutionContext, "config" | "runId" | "workspaceDir" | "agentVersion">,
): RunLog {
  const { prompt, settings } = config;
  const set = PARAMETERS.filter((name) => settings[name] !== undefined);
  return composeLog(result.collected, {
    agent: adapter,
    runId,
    execution: result.execution,
    errors: result.errors,
    command: result.command,
    environment: describeEnvironment(workspaceDir),
    configured: {
      model: asName(settings.model),
      prompt: asName(prompt),
      parameters: Object.fromEntries(set.map((name) => [name, settings[name]])),
      agentVersion: agentVersion ?? null,
    },
  });
}

/** What is kept of a run that nothing was started for. */
export function logRefusal(
  adapter: AgentAdapter,
  request: Pick<AgentRunRequest, "config" | "runId" | "workspaceDir" | "agentVersion">,
  errors: readonly Refusal[],
): Pick<AgentRun, "result" | "log"> {
  const result = refuseRun(adapter, errors);
  const config = describeRefused(request.config);
  return { result, log: normalizeLog(adapter, result, { ...request, config }) };
}

/** A configuration that was refused, as far as it says something: its run has a log too. */
function describeRefused(raw: unknown): AgentConfig {
  const given = asRecord(raw);
  const model = asName(given.model);
  const settings = model === null ? {} : { model };
  const nothing = { extraArgs: [], own: {}, outputFormat: "", dropped: [] };
  return { prompt: asName(given.prompt) ?? "", settings, ...nothing };
}

/** A run that never started, as a result with all its fields. */
export function refuseRun(
  adapter: Pick<AgentAdapter, "codePrefix">,
  errors: readonly Refusal[],
): AgentExecutionResult {
  const at = new Date().toISOString();
  const collector = new LogCollector({
    codePrefix: adapter.codePrefix,
    kindOfTool: () => "other",
    now: () => at,
  });
  for (const { reason, message, path } of errors)
    collector.addError({ reason, message, at, context: path === null ? null : { path } });
  const collected = collector.collect();
  return freezeDeep({
    execution: {
      started_at: at,
      completed_at: at,
      duration_ms: 0,
      exit_code: null,
      status: "failed",
      timed_out: false,
    },
    stdoutPath: null,
    stderrPath: null,
    output: "",
    truncated: false,
    errors: collected.errors,
    collected,
    command: null,
  });
}
