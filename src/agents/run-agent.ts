// One agent run from the user's configuration to the log: checked, executed, tried again if asked.
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type {
  AgentAdapter,
  AgentExecutionContext,
  AgentExecutionResult,
  ExecuteOptions,
} from "./adapter.ts";
import { composeLog } from "./compose-log.ts";
import type { AgentConfig } from "./config-check.ts";
import { decideRetry } from "./decide-retry.ts";
import { describeEnvironment } from "./environment.ts";
import { executeAgent } from "./execute.ts";
import { asName, asRecord } from "./json-fields.ts";
import { type AgentRunRequest, prepareRun } from "./prepare-run.ts";
import { refuseRun } from "./refuse-run.ts";
import type { RunLog } from "./run-log.ts";
import { markWorkspace } from "./workspace-mark.ts";

export interface RunAgentOptions extends ExecuteOptions {
  /** Further tries after a rate limit, an overload or a network failure; none by default. */
  readonly retries?: number;
}

export interface AgentRun {
  readonly result: AgentExecutionResult;
  readonly log: RunLog;
}

export const DEFAULT_TIMEOUT_MS = 300_000;

/** Every ending is a value: a refused configuration is a failed run that never started. */
export async function runAgent(
  adapter: AgentAdapter,
  request: AgentRunRequest,
  options: RunAgentOptions = {},
): Promise<AgentRun> {
  const prepared = await prepareRun(adapter, request);
  if (prepared.kind === "refused") {
    const result = refuseRun(adapter, prepared.errors);
    const config = describeRefused(request.config);
    return { result, log: normalizeLog(adapter, result, { ...request, config }) };
  }
  const result = await executeWithRetries(adapter, prepared.context, options);
  return { result, log: normalizeLog(adapter, result, prepared.context) };
}

async function executeWithRetries(
  adapter: AgentAdapter,
  context: AgentExecutionContext,
  options: RunAgentOptions,
): Promise<AgentExecutionResult> {
  const allowed = options.retries ?? 0;
  const before = allowed > 0 ? await markWorkspace(context.workspaceDir) : null;
  const startedAt = performance.now();
  let attempt = context;
  for (let made = 0; ; made++) {
    const result = await executeAgent(adapter, attempt, options);
    const delay = decideRetry({
      status: result.execution.status,
      errors: result.errors,
      made,
      allowed,
      isWorkspaceUnchanged:
        before !== null && before === (await markWorkspace(context.workspaceDir)),
      chance: Math.random(),
    });
    const left = context.timeout - (performance.now() - startedAt);
    if (delay === null || (context.timeout > 0 && left <= delay)) return result;
    if (!(await waitFor(delay, options.signal))) return result;
    attempt = {
      ...context,
      logDir: join(context.logDir, `retry-${made + 1}`),
      timeout: context.timeout === 0 ? 0 : Math.max(1, Math.round(left - delay)),
    };
  }
}

/** False where the wait was cancelled. */
const waitFor = (delayMs: number, signal: AbortSignal | undefined): Promise<boolean> =>
  wait(delayMs, true, signal === undefined ? {} : { signal }).catch(() => false);

const PARAMETERS = ["max_tokens", "temperature", "max_turns"] as const;

/** Pure but for naming the machine it runs on. */
export function normalizeLog(
  adapter: AgentAdapter,
  result: AgentExecutionResult,
  context: Omit<AgentExecutionContext, "env" | "logDir" | "timeout">,
): RunLog {
  const { prompt, settings } = context.config;
  const set = PARAMETERS.filter((name) => settings[name] !== undefined);
  return composeLog(result.collected, {
    adapter,
    runId: context.runId,
    execution: result.execution,
    errors: result.errors,
    environment: describeEnvironment(context.workspaceDir),
    configured: {
      model: asName(settings.model),
      prompt: asName(prompt),
      parameters: Object.fromEntries(set.map((name) => [name, settings[name]])),
      agentVersion: context.agentVersion ?? null,
    },
  });
}

/** A configuration that was refused, as far as it says something: its run has a log too. */
function describeRefused(raw: unknown): AgentConfig {
  const given = asRecord(raw);
  const model = asName(given.model);
  const settings = model === null ? {} : { model };
  const nothing = { extraArgs: [], own: {}, outputFormat: "", dropped: [] };
  return { prompt: asName(given.prompt) ?? "", settings, ...nothing };
}
