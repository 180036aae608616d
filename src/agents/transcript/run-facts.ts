// What stands above a transcript: the run in a few lines. What is not known is said to be unknown.
import type { RunLog, Usage } from "../run-log.ts";
import { cleanLine } from "./clean-text.ts";
import { formatCount, formatDollars, formatDuration, formatTime, UNKNOWN } from "./figures.ts";

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
    ["started", formatTime(execution.started_at)],
    ["duration", describeDuration(log)],
    ["turns", log.turns === null ? UNKNOWN : formatCount(log.turns)],
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

function describeTokens(usage: Usage): string {
  const { input_tokens, output_tokens, total_tokens } = usage;
  if (input_tokens === null && output_tokens === null && total_tokens === null) return UNKNOWN;
  const parts = [
    `${countOrUnknown(input_tokens)} in${describeParts([
      [usage.cache_read_tokens, "from cache"],
      [usage.cache_write_tokens, "to cache"],
    ])}`,
    `${countOrUnknown(output_tokens)} out${describeParts([[usage.reasoning_tokens, "reasoning"]])}`,
    ...(total_tokens === null ? [] : [`${formatCount(total_tokens)} in all`]),
  ];
  return `${parts.join(", ")}${usage.source === "estimated" ? ", estimated" : ""}`;
}

const countOrUnknown = (count: number | null): string =>
  count === null ? UNKNOWN : formatCount(count);

/** A part that is not known, or of which there was nothing, needs no words. */
function describeParts(parts: readonly (readonly [number | null, string])[]): string {
  const known = parts.flatMap(([count, name]) =>
    count === null || count === 0 ? [] : [`${formatCount(count)} ${name}`],
  );
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

function describeCost({ cost }: RunLog): string {
  if (cost === null) return UNKNOWN;
  return `${formatDollars(cost.usd)}${cost.source === "estimated" ? ", estimated" : ""}`;
}
