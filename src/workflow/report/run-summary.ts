// A run in numbers and one line: how it stands, how many calls came to what, what it took.
import { countOf, formatCost, formatDuration } from "../../agents/log/figures.ts";
import type { JournalEntry, RunRecord } from "../journal/journal.ts";
import { type CallState, callStateOf, describeUntil, isCall, tokensOf } from "./call-facts.ts";

/** How the calls of a run stand, questions and commands among them. */
export interface CallCounts {
  readonly calls: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly stopped: number;
  readonly running: number;
  readonly waiting: number;
}

export interface RunCost {
  /** Of the calls that say; null where none does. */
  readonly usd: number | null;
  /** Calls of agents that state no cost. */
  readonly unstated: number;
  readonly tokens: number | null;
}

export function countCalls(entries: readonly JournalEntry[]): CallCounts {
  const calls = entries.filter(isCall);
  const count = (state: CallState): number =>
    calls.filter((entry) => callStateOf(entry) === state).length;
  return {
    calls: calls.length,
    done: count("done"),
    failed: count("failed"),
    skipped: count("skipped"),
    stopped: count("stopped"),
    running: count("runs"),
    waiting: count("waits"),
  };
}

export function sumCost(entries: readonly JournalEntry[]): RunCost {
  const asked = entries.filter(({ kind, usage }) => kind === "agent" && usage !== null);
  const costs = asked.flatMap(({ usage }) => usage?.costUsd ?? []);
  const tokens = asked.flatMap((entry) => tokensOf(entry) ?? []);
  return {
    usd: costs.length === 0 ? null : sum(costs),
    unstated: asked.length - costs.length,
    tokens: tokens.length === 0 ? null : sum(tokens),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/** `$0.42`, `at least $0.42` where some agents do not say, nothing where none does. */
export function describeCostOf({ usd, unstated }: RunCost): string[] {
  if (usd === null) return [];
  return [unstated === 0 ? formatCost(usd) : `at least ${formatCost(usd)}`];
}

/** `3 done, 1 failed`. */
export const describeCounts = (counts: CallCounts): string => {
  const parts = (["done", "failed", "skipped", "stopped", "running", "waiting"] as const).flatMap(
    (state) => (counts[state] === 0 ? [] : [`${counts[state]} ${state}`]),
  );
  return parts.length === 0 ? "no calls yet" : parts.join(", ");
};

/** How a run stands: `waiting until … (codex: usage limit)`. */
export function describeStatus({ status, reason, waitingUntil }: RunRecord): string {
  const why = reason === null ? "" : `: ${reason}`;
  return `${status}${status === "waiting" ? describeUntil(waitingUntil) : ""}${why}`;
}

/** Time, calls, tokens, cost of a whole run. */
export function runFigures(
  { createdAt, endedAt }: Pick<RunRecord, "createdAt" | "endedAt">,
  entries: readonly JournalEntry[],
  now: number,
): string[] {
  const cost = sumCost(entries);
  const until = endedAt === null ? now : Date.parse(endedAt);
  return [
    formatDuration(Math.max(0, until - Date.parse(createdAt))),
    describeCounts(countCalls(entries)),
    ...(cost.tokens === null ? [] : [countOf(cost.tokens, "token")]),
    ...describeCostOf(cost),
  ];
}
