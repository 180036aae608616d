// What every transcript says of the run (a few lines at its top) and of each tool call. What is not
// known of the run is said to be unknown.

import { isRecord, textOrJson } from "../../../core/project/json-value.ts";
import {
  countOf,
  formatCost,
  formatDuration,
  formatTimestamp,
  groupDigits,
  UNKNOWN,
} from "../figures.ts";
import type { LogToolCall, RunLog, RunUsage } from "../run-log.ts";
import { cleanLine, cleanText } from "../text.ts";

export interface RunFact {
  readonly label: string;
  readonly value: string;
}

export function listRunFacts(log: RunLog): readonly RunFact[] {
  const { session, environment, execution } = log;
  const facts: readonly (readonly [label: string, value: string | null])[] = [
    ["agent", describeAgent(log)],
    ["model", describeModel(log)],
    ["status", describeStatus(log)],
    ["started", formatTimestamp(execution.started_at)],
    ["duration", describeDuration(log)],
    ["turns", log.turns === null ? UNKNOWN : groupDigits(log.turns)],
    ["tokens", describeTokens(log.usage)],
    ["cost", describeCost(log)],
    ["run", log.run_id],
    ["session", session.id],
    ["folder", environment.working_directory || null],
  ];
  return facts.flatMap(([label, value]) =>
    value === null ? [] : [{ label, value: cleanLine(value) }],
  );
}

function describeAgent({ agent_info: { name, version } }: RunLog): string {
  return version === UNKNOWN ? `${name}, version ${UNKNOWN}` : `${name} ${version}`;
}

function describeModel({ model_info: { name, provider, source } }: RunLog): string {
  const maker = provider === null ? "" : ` (${provider})`;
  return `${name ?? UNKNOWN}${maker}${source === "config" ? ", as configured" : ""}`;
}

function describeStatus({ execution, stop_reason }: RunLog): string {
  const { status, exit_code, signal } = execution;
  const parts = [
    status,
    ...(exit_code === null || exit_code === 0 ? [] : [`exit code ${exit_code}`]),
    ...(signal === undefined ? [] : [`ended by ${signal}`]),
    ...(stop_reason === null ? [] : [`stop reason ${stop_reason}`]),
  ];
  return parts.join(", ");
}

// A log made from saved output without times in it has 0 here, and no run takes no time at all.
const describeDuration = ({ execution: { duration_ms } }: RunLog): string =>
  duration_ms === 0 ? UNKNOWN : formatDuration(duration_ms);

function describeTokens(usage: RunUsage): string {
  const { input_tokens, output_tokens, total_tokens } = usage;
  if (input_tokens === null && output_tokens === null && total_tokens === null) return UNKNOWN;
  const parts = [
    `${countOrUnknown(input_tokens)} in${describeParts([
      [usage.cache_read_tokens, "from cache"],
      [usage.cache_write_tokens, "to cache"],
    ])}`,
    `${countOrUnknown(output_tokens)} out${describeParts([[usage.reasoning_tokens, "reasoning"]])}`,
    ...(total_tokens === null ? [] : [`${groupDigits(total_tokens)} in all`]),
  ];
  return `${parts.join(", ")}${usage.source === "estimated" ? ", estimated" : ""}`;
}

const countOrUnknown = (count: number | null): string =>
  count === null ? UNKNOWN : groupDigits(count);

/** A part that is not known, or of which there was nothing, needs no words. */
function describeParts(parts: readonly (readonly [number | null, string])[]): string {
  const known = parts.flatMap(([count, name]) =>
    count === null || count === 0 ? [] : [`${groupDigits(count)} ${name}`],
  );
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

function describeCost({ cost }: RunLog): string {
  if (cost === null) return UNKNOWN;
  return `${formatCost(cost.usd)}${cost.source === "estimated" ? ", estimated" : ""}`;
}

export interface CallArgument {
  /** Null where the agent gave its arguments as one value without a name. */
  readonly name: string | null;
  readonly text: string;
}

/** What a tool was called with, each argument as clean text. */
export function listCallArguments({ arguments: given }: LogToolCall): readonly CallArgument[] {
  if (given === undefined || given === null || given === "") return [];
  if (!isRecord(given)) return [{ name: null, text: writeValue(given) }];
  return Object.entries(given).map(([name, value]) => ({
    name: cleanText(name),
    text: writeValue(value),
  }));
}

const writeValue = (value: unknown): string => cleanText(textOrJson(value));

/** How a call went, in words: `["failed", "56 ms"]`. What the agent did not say is left out. */
export function listCallNotes(call: LogToolCall): readonly string[] {
  return [
    ...(call.permission === "denied" ? ["denied"] : []),
    ...(call.is_error === true ? ["failed"] : []),
    ...(call.duration_ms === undefined ? [] : [formatDuration(call.duration_ms)]),
    ...(call.result === undefined ? ["no result in the log"] : []),
  ];
}

export const isFailedCall = (call: LogToolCall): boolean =>
  call.is_error === true || call.permission === "denied";

/** `result, 12 lines`, above what may be folded away. */
export const titleOfResult = (lines: readonly string[]): string =>
  lines.length === 0 ? "result, empty" : `result, ${countOf(lines.length, "line")}`;
