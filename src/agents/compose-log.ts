// What was collected and how the run ended → the log. Pure.
import { isAbsolute, relative } from "node:path";
import type { AgentAdapter } from "./adapter.ts";
import { capText, MESSAGE_LIMIT } from "./cap-text.ts";
import type { CollectedLog } from "./collect-log.ts";
import { freezeDeep } from "./freeze.ts";
import {
  type ErrorRecord,
  type Execution,
  type LogMessage,
  RUN_LOG_VERSION,
  type RunLog,
} from "./run-log.ts";
import { describeUsage } from "./usage.ts";

export interface LogContext {
  readonly adapter: Pick<AgentAdapter, "name" | "version" | "provider" | "capabilities">;
  readonly runId: string;
  readonly execution: Execution;
  readonly errors: readonly ErrorRecord[];
  readonly environment: RunLog["environment"];
  /** What is known about the run from its configuration; null for a log made elsewhere. */
  readonly configured: {
    readonly model: string | null;
    readonly prompt: string | null;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly agentVersion: string | null;
  };
}

export function composeLog(collected: CollectedLog, context: LogContext): RunLog {
  const { adapter, configured, environment } = context;
  const { facts, final, costUsd } = collected;
  const agentVersion = facts.agentVersion ?? configured.agentVersion;
  return freezeDeep({
    version: RUN_LOG_VERSION,
    run_id: context.runId,
    agent_info: {
      name: adapter.name,
      version: agentVersion ?? "unknown",
      adapter_version: adapter.version,
    },
    model_info: describeModel(collected, context),
    execution: context.execution,
    messages: withPrompt(collected.messages, configured.prompt),
    tool_calls: collected.toolCalls,
    usage: describeUsage(collected.usage),
    cost: costUsd === null ? null : { usd: costUsd, source: "output" },
    turns: final?.turns ?? null,
    stop_reason: final?.stopReason ?? null,
    session: {
      id: facts.sessionId,
      resumable: facts.sessionId !== null && adapter.capabilities(agentVersion).canResume,
    },
    files_changed: placeFiles(collected, environment.working_directory),
    errors: context.errors,
    environment,
  });
}

function describeModel(
  { facts }: CollectedLog,
  { adapter, configured }: LogContext,
): RunLog["model_info"] {
  const name = facts.model ?? configured.model;
  return {
    name,
    provider: facts.provider ?? cloudOfModel(name) ?? adapter.provider ?? prefixOfModel(name),
    parameters: configured.parameters,
    source: facts.model !== null ? "output" : name !== null ? "config" : "unknown",
  };
}

/** Cloud ids say where they are served: Bedrock's have the maker inside, Vertex's an `@`. */
function cloudOfModel(model: string | null): string | null {
  if (model === null) return null;
  if (/^(?:arn:aws|(?:\w+\.)?anthropic\.)/.test(model)) return "bedrock";
  if (/^claude-[\w.-]+@/.test(model)) return "vertex";
  return null;
}

/** An agent that serves many providers names them before the model. */
const prefixOfModel = (model: string | null): string | null =>
  /^([\w-]+)\/\S/.exec(model ?? "")?.[1] ?? null;

/** Agents that do not repeat the prompt in their output still had one. */
function withPrompt(messages: readonly LogMessage[], prompt: string | null): readonly LogMessage[] {
  const isThere = messages.some(({ role, parent }) => role === "user" && parent === undefined);
  if (prompt === null || isThere) return messages;
  return [{ role: "user", content: capText(prompt, MESSAGE_LIMIT) }, ...messages];
}

function placeFiles({ filesChanged, facts }: CollectedLog, workingDirectory: string): string[] {
  const root = facts.workingDirectory ?? workingDirectory;
  const placed = filesChanged.map((path) => {
    const inside = isAbsolute(path) ? relative(root, path) : path;
    return inside === "" || inside.startsWith("..") ? path : inside;
  });
  return [...new Set(placed)];
}
