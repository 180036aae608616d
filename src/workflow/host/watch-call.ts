// What the run is told of a call while its turn goes on: its run, its conversation, whom it waits for; and its time limit,
// which does not count while a person is waited for.

import { type ErrorReason, reasonOfCode } from "../../agents/log/error-reasons.ts";
import { findLog } from "../../agents/log/run-files.ts";
import type { RunLog } from "../../agents/log/run-log.ts";
import { UNITS_OF_TIME } from "../../core/command/time.ts";
import type { QuestionStore } from "../../core/store/questions.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import { NO_USAGE } from "../engine/budget.ts";
import type { AgentCall, AgentCallEnding } from "../engine/effect.ts";
import type { CallUsage } from "../journal/journal.ts";

type WatchedCall = Pick<AgentCall, "effect" | "signal" | "onConversation" | "onRun" | "onWaiting">;

export interface CallWatch {
  readonly signal: AbortSignal;
  readonly onTurn: (turn: Turn) => void;
  readonly isTimedOut: boolean;
  close(): void;
}

export function watchTurn(questions: QuestionStore, call: WatchedCall): CallWatch {
  const limit = new TimeLimit(call.effect.timeoutMs);
  const reported = { run: "", conversation: "", waiting: "" };
  const tellWaiting = (turn: Turn): void => {
    const why = turn.status === "waiting" ? describeWaiting(questions, turn) : "";
    if (why === reported.waiting) return;
    reported.waiting = why;
    call.onWaiting(why === "" ? null : why);
  };
  return {
    signal: AbortSignal.any([call.signal, limit.signal]),
    onTurn: (turn) => {
      if (turn.runId !== null && turn.runId !== reported.run) {
        reported.run = turn.runId;
        call.onRun(turn.runId);
      }
      if (turn.conversation !== null && turn.conversation !== reported.conversation) {
        reported.conversation = turn.conversation;
        call.onConversation(turn.conversation);
      }
      tellWaiting(turn);
      if (turn.status === "running") limit.run();
      else limit.rest();
    },
    get isTimedOut() {
      return limit.signal.aborted;
    },
    close: () => limit.rest(),
  };
}

function describeWaiting(questions: QuestionStore, { id }: Turn): string {
  const open = questions.listOpen().find(({ turnId }) => turnId === id);
  return open === undefined
    ? "a person must answer"
    : `a person must answer ${open.id}: ${open.text}`;
}

/** Counts only while it runs. */
class TimeLimit {
  readonly #over = new AbortController();
  #leftMs: number | null;
  #since = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(limitMs: number | null) {
    this.#leftMs = limitMs;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  run(): void {
    if (this.#leftMs === null || this.#timer !== null) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#over.abort(), this.#leftMs);
  }

  rest(): void {
    if (this.#timer === null || this.#leftMs === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since));
  }
}

// How a call ended, from its turn and the log of its run. Pure but for reading the log.

/** Null where the turn ended before its run had a log. */
export const readTurnLog = (stateDir: string, { runId }: Turn): RunLog | null =>
  runId === null ? null : findLog(stateDir, runId);

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
    ms += Number(count) * (UNITS_OF_TIME[shorten(unit.toLowerCase())] ?? 0);
  return ms === 0 ? null : new Date(now + ms).toISOString();
}

const shorten = (unit: string): string =>
  unit.startsWith("ms") || unit.startsWith("mill") ? "ms" : unit.slice(0, 1);
