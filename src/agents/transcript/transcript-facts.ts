import type { RunLog } from "../run-log.ts";

/** What a reader wants to know first, as pairs of name and value; unknown ones are left out. */
export function listFacts(log: RunLog): (readonly [string, string])[] {
  const { agent_info: agent, execution, usage, cost, turns } = log;
  const facts: (readonly [string, string | null])[] = [
    ["run", log.run_id],
    ["agent", agent.version === "unknown" ? agent.name : `${agent.name} ${agent.version}`],
    ["model", log.model_info.name],
    ["status", describeStatus(execution)],
    ["started", execution.started_at],
    ["took", formatDuration(execution.duration_ms)],
    ["turns", turns === null ? null : String(turns)],
    ["tokens", describeTokens(usage)],
    ["cost", cost === null ? null : `$${formatCost(cost.usd)}`],
    ["files changed", log.files_changed.length === 0 ? null : log.files_changed.join(", ")],
    ["session", log.session.id],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function describeStatus({ status, exit_code: code, signal }: RunLog["execution"]): string {
  if (signal !== undefined) return `${status} (${signal})`;
  return code === null || code === 0 ? status : `${status} (exit ${code})`;
}

function describeTokens(usage: RunLog["usage"]): string | null {
  const { input_tokens: input, output_tokens: output, cache_read_tokens: cached } = usage;
  if (input === null && output === null) return null;
  const count = (value: number | null) => (value === null ? "?" : value.toLocaleString("en-US"));
  const share = cached === null || cached === 0 ? "" : ` (${count(cached)} cached)`;
  return `${count(input)} in${share}, ${count(output)} out`;
}

const formatCost = (usd: number): string => (usd >= 1 ? usd.toFixed(2) : usd.toFixed(4));

export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
