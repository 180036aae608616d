// One run of an agent, however it was asked for: a folder, two events on record, its log kept.
import type { AgentAdapter } from "../../agents/adapter.ts";
import type { AgentRunRequest } from "../../agents/prepare-run.ts";
import { runAgent } from "../../agents/run-agent.ts";
import type { RunLog } from "../../agents/run-log.ts";
import type { CommandContext } from "../../command/context.ts";
import { newId } from "../../new-id.ts";
import type { Program } from "../program.ts";
import { makeRunFolder, saveLog } from "./run-files.ts";
import { createEventShow } from "./show-event.ts";

export interface RunWish {
  readonly adapter: AgentAdapter;
  readonly request: Omit<AgentRunRequest, "runId" | "logDir">;
  readonly retries: number;
  /** Everything as JSON, one object per line, instead of the answer. */
  readonly asEvents: boolean;
  /** Texts that the log must not keep. */
  readonly secrets?: readonly string[];
}

export interface PerformedRun {
  readonly log: RunLog;
  readonly logDir: string;
  readonly logPath: string;
}

export interface RunPlace {
  readonly context: CommandContext;
  readonly program: Program;
}

export async function performRun(wish: RunWish, place: RunPlace): Promise<PerformedRun> {
  const { context, program } = place;
  const { adapter, request, retries, asEvents, secrets = [] } = wish;
  const runId = `${new Date().toISOString().replaceAll(/[-:.]/g, "").slice(0, 15)}-${newId().slice(0, 8)}`;
  const logDir = makeRunFolder(program.stateDir, runId);
  program.publish(context, "AgentRunStarted", { agent: adapter.name, runId });
  const env = { ...request.env, ADJ_DEPTH: String(depthOf(request.env) + 1) };
  const { log } = await runAgent(
    adapter,
    { ...request, env, runId, logDir },
    { signal: context.signal, retries, onEvent: createEventShow(context, asEvents) },
  );
  const logPath = saveLog(logDir, log, secrets);
  publishEnd(log, place);
  return { log, logDir, logPath };
}

/** How many agents that Adjutant started are around this process. */
export function depthOf({ ADJ_DEPTH }: Readonly<Record<string, string | undefined>>): number {
  const depth = Number(ADJ_DEPTH ?? 0);
  return Number.isInteger(depth) && depth > 0 ? depth : 0;
}

function publishEnd(log: RunLog, { context, program }: RunPlace): void {
  const { status, duration_ms: durationMs } = log.execution;
  program.publish(context, "AgentRunCompleted", {
    agent: log.agent_info.name,
    runId: log.run_id,
    status,
    error: log.errors[0]?.code ?? null,
    durationMs,
    tokens: log.usage.total_tokens,
  });
}

/** The one line that ends a stream of events. */
export const writeLastEvent = (log: RunLog, context: CommandContext): Promise<void> =>
  context.write(`${JSON.stringify({ kind: "result", log })}\n`);
