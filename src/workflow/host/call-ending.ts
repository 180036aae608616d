// How a call ended, from its turn and the log of its run. Pure but for reading the log.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ErrorReason, reasonOfCode } from "../../agents/log/error-reasons.ts";
import { readLog, runFolder } from "../../agents/log/run-files.ts";
import type { RunLog } from "../../agents/log/run-log.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import { NO_USAGE } from "../engine/budget.ts";
import type { AgentCallEnding } from "../engine/effect.ts";
import type { CallUsage } from "../journal/journal.ts";

/** Null where the turn ended before its run had a log. */
export function readTurnLog(stateDir: string, { runId }: Turn): RunLog | null {
  if (runId === null) return null;
  const folder = runFolder(stateDir, runId);
  return existsSync(join(folder, "log.json")) ? readLog(folder) : null;
}

export function usageOf(log: RunLog | null): CallUsage {
  if (log === null) return NO_USAGE;
  const { input_tokens, output_tokens, total_tokens } = log.usage;
  return {
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    totalTokens: total_tokens,
    costUsd: log.cost?.usd ?? null,
  };
}

const QUOTA: ReadonlySet<ErrorReason> = new Set<ErrorReason>(["RATE_LIMIT", "OVERLOADED"]);

/** Of a turn that is not `done`. */
export function failureOf(
  turn: Turn,
  log: RunLog | null,
  usage: CallUsage,
): Exclude<AgentCallEnding, { kind: "done" }> {
  if (turn.status === "cancelled") return { kind: "cancelled", usage };
  const { code = "AgentRunFailed", message = "the turn failed" } = turn.problem ?? {};
  const errors = log?.errors ?? [{ code, message }];
  const limited = errors.find(({ code }) => QUOTA.has(reasonOfCode(code)));
  if (limited !== undefined) {
    const until = readResetTime(limited.message, Date.now());
    return { kind: "quota", until, message: limited.message, usage };
  }
  return { kind: "failed", code, message, usage };
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** When an agent says that it may be asked again: a moment, or so long from now; null where it does not say. */
export function readResetTime(text: string, now: number): string | null {
  const iso = /\b(20\d\d-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))/.exec(
    text,
  )?.[1];
  if (iso !== undefined && !Number.isNaN(Date.parse(iso))) return new Date(iso).toISOString();
  // Claude Code appends the second to its message: `usage limit reached|1763400000`.
  const epoch = /\|(\d{10})\b/.exec(text)?.[1];
  if (epoch !== undefined) return new Date(Number(epoch) * 1_000).toISOString();
  const span =
    /(?:try again|retry|resets?|wait)[^.\n]{0,40}?\b(?:in|after|for)[: ]+((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)(?![a-z])[ ,]*(?:and )?)+)/i.exec(
      text,
    )?.[1];
  if (span === undefined) return null;
  let ms = 0;
  for (const [, count, unit = ""] of span.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi))
    ms += Number(count) * (UNITS[shorten(unit.toLowerCase())] ?? 0);
  return ms === 0 ? null : new Date(now + ms).toISOString();
}

const shorten = (unit: string): string =>
  unit.startsWith("ms") || unit.startsWith("mill") ? "ms" : unit.slice(0, 1);
