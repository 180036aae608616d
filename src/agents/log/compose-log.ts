// What was collected and how the run ended become the log. Nothing here reads files or asks the clock.

import { isAbsolute, relative } from "node:path";
import { VERSION } from "../../core/command/version.ts";
import { freezeDeep } from "../../core/project/json-value.ts";
import type { CollectedLog } from "./collect-log.ts";
import {
  type ErrorRecord,
  type Execution,
  type LogMessage,
  RUN_LOG_VERSION,
  type RunLog,
} from "./run-log.ts";
import { capText, MAX_ARGUMENT_LENGTH, MAX_MESSAGE_LENGTH } from "./text.ts";
import { describeUsage } from "./usage.ts";

interface LogContext {
  readonly agent: {
    readonly name: string;
    /** The version of the adapter, not of the agent. */
    readonly version: string;
    readonly provider: string | null;
    capabilities(agentVersion: string | null): { readonly canResume: boolean };
  };
  readonly runId: string;
  readonly execution: Execution;
  readonly errors: readonly ErrorRecord[];
  /** The program that was started and its arguments; null where none was or nobody knows. */
  readonly command: RunLog["command"];
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
  const { agent, configured, environment } = context;
  const { facts, final, costUsd } = collected;
  const agentVersion = facts.agentVersion ?? configured.agentVersion;
  return freezeDeep({
    version: RUN_LOG_VERSION,
    run_id: context.runId,
    agent_info: {
      name: agent.name,
      version: agentVersion ?? "unknown",
      adapter_version: agent.version,
    },
    model_info: describeModel(collected, context),
    command: capCommand(context.command),
    execution: context.execution,
    messages: withPrompt(collected.messages, configured.prompt),
    tool_calls: collected.toolCalls,
    ...(facts.tools === undefined ? {} : { tools: facts.tools }),
    usage: describeUsage(collected.usage),
    cost: costUsd === null ? null : { usd: costUsd, source: "output" },
    turns: final?.turns ?? null,
    stop_reason: final?.stopReason ?? null,
    session: {
      id: facts.sessionId,
      resumable: facts.sessionId !== null && agent.capabilities(agentVersion).canResume,
    },
    files_changed: relativeFiles(collected, environment.working_directory),
    errors: context.errors,
    environment,
  });
}

/** A prompt that is among the arguments is cut like any other text of the log. */
const capCommand = (command: RunLog["command"]): RunLog["command"] =>
  command === null
    ? null
    : {
        executable: command.executable,
        args: command.args.map((word) => capText(word, MAX_ARGUMENT_LENGTH)),
      };

function describeModel(
  { facts }: CollectedLog,
  { agent, configured }: LogContext,
): RunLog["model_info"] {
  const name = facts.model ?? configured.model;
  return {
    name,
    provider: facts.provider ?? cloudOfModel(name) ?? agent.provider ?? prefixOfModel(name),
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
  return [{ role: "user", content: capText(prompt, MAX_MESSAGE_LENGTH) }, ...messages];
}

function relativeFiles({ filesChanged, facts }: CollectedLog, workingDirectory: string): string[] {
  const root = facts.workingDirectory ?? workingDirectory;
  const paths = filesChanged.map((path) => {
    const inside = isAbsolute(path) ? relative(root, path) : path;
    return inside === "" || inside.startsWith("..") ? path : inside;
  });
  return [...new Set(paths)];
}

export const describeEnvironment = (workingDirectory: string): RunLog["environment"] => ({
  os: `${process.platform}-${process.arch}`,
  node_version: process.version,
  adjutant_version: VERSION,
  working_directory: workingDirectory,
});
