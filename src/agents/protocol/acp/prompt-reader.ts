// What an agent says between a prompt and its answer to it.

import { asRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import { classifyFailure } from "../../log/error-reasons.ts";
import { answerDelta, errorEvent, finalEvent, type LogEvent, NO_EVENTS } from "../../log/event.ts";
import { asAmount, asCount, asName, asText } from "../../log/json-fields.ts";
import {
  addTokens,
  sumUsage,
  UNKNOWN_USAGE,
  type UsageFigures,
  withCache,
  withReasoning,
} from "../../log/usage.ts";
import { ToolCalls } from "./tool-calls.ts";
import type { AcpTraits } from "./traits.ts";

/** How a prompt ended that was not simply done. */
const FAILED_STOPS: ReadonlyMap<string, LogEvent> = new Map([
  ["refusal", errorEvent("REFUSED", "the agent refused to go on")],
  ["max_turn_requests", errorEvent("MAX_TURNS", "the agent reached its limit of turns")],
  ["max_tokens", errorEvent("ABORTED", "the answer was cut: the limit of tokens was reached")],
  ["cancelled", errorEvent("ABORTED", "the agent's turn was cancelled")],
]);

/** How a prompt ended, and what it took. */
export interface PromptEnd {
  /** Of calls that nothing more was said of. */
  readonly results: readonly LogEvent[];
  readonly figures: UsageFigures;
  /** What the session has cost so far. */
  readonly costUsd: number | null;
  readonly error: LogEvent | null;
  readonly stopReason: string | null;
}

export class PromptReader {
  readonly tools: ToolCalls;
  readonly #traits: AcpTraits;
  readonly #steps: UsageFigures[] = [];
  #lastWords = "";
  #costUsd: number | null = null;

  constructor(traits: AcpTraits) {
    this.#traits = traits;
    this.tools = new ToolCalls(traits);
  }

  readUpdate(update: JsonRecord): readonly LogEvent[] {
    const text = asText(asRecord(update.content).text) ?? "";
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        this.#noteStep(asRecord(asRecord(update._meta).usage));
        this.#lastWords = text === "" ? this.#lastWords : text;
        return text === "" ? NO_EVENTS : [answerDelta(text)];
      case "agent_thought_chunk":
        return [{ kind: "delta", channel: "thinking", text, at: null, parent: null }];
      case "tool_call":
      case "tool_call_update":
        return this.tools.update(update);
      case "usage_update":
        this.#costUsd = readCost(update) ?? this.#costUsd;
        return NO_EVENTS;
      default:
        return NO_EVENTS;
    }
  }

  /** A prompt that was cancelled failed for a reason that is known elsewhere. */
  end(result: JsonRecord, isCancelled: boolean): PromptEnd {
    const stopReason = asName(result.stopReason);
    return {
      results: this.tools.endDenied(),
      figures: sumUsage(this.#steps) ?? readUsage(result, this.#traits),
      costUsd: this.#costUsd,
      error: isCancelled ? null : this.#findError(stopReason),
      stopReason,
    };
  }

  /** Qwen Code gives each step's figures beside an empty piece of its answer. */
  #noteStep(usage: JsonRecord): void {
    if (usage.inputTokens !== undefined) this.#steps.push(convertUsage(usage));
  }

  #findError(stopReason: string | null): LogEvent | null {
    const known = FAILED_STOPS.get(stopReason ?? "");
    if (known !== undefined) return known;
    const reason = classifyFailure({ text: this.#lastWords });
    const isPrintedError = this.#traits.saysErrors && this.#lastWords.startsWith("Error: ");
    return isPrintedError && reason !== "UNKNOWN" ? errorEvent(reason, this.#lastWords) : null;
  }
}

/** The last events of a run or a turn. */
export const describePromptEnd = ({
  results,
  figures,
  costUsd,
  error,
  stopReason,
}: PromptEnd): readonly LogEvent[] => [
  ...results,
  { kind: "usage", figures, costUsd, scope: "run", at: null },
  ...(error === null ? [] : [error]),
  finalEvent({ isSuccess: stopReason === "end_turn" && error === null, stopReason }),
];

/**
 * Figures of a prompt's result. Agents differ in whether cache and reasoning are in input and output or
 * beside them; the total tells which, and where it fits neither the figures are not taken.
 */
function readUsage(result: JsonRecord, { usage }: AcpTraits): UsageFigures {
  if (usage === "unusable") return UNKNOWN_USAGE;
  const quota = asRecord(asRecord(asRecord(result._meta).quota).token_count);
  // Gemini CLI 0.61.0 leaves the thoughts out of its output here.
  if (quota.input_tokens !== undefined)
    return { ...UNKNOWN_USAGE, input: asCount(quota.input_tokens) };
  return convertUsage(asRecord(result.usage));
}

export function convertUsage(usage: JsonRecord): UsageFigures {
  const figures: UsageFigures = {
    input: asCount(usage.inputTokens),
    output: asCount(usage.outputTokens),
    cacheRead: asCount(usage.cachedReadTokens),
    cacheWrite: asCount(usage.cachedWriteTokens),
    reasoning: asCount(usage.thoughtTokens),
  };
  const total = asCount(usage.totalTokens);
  if (total === null || total === addTokens(figures.input, figures.output)) return figures;
  const apart = withReasoning(withCache(figures));
  return total === addTokens(apart.input, apart.output) ? apart : UNKNOWN_USAGE;
}

/** What the session has cost so far, in dollars. */
export function readCost(update: JsonRecord): number | null {
  const { amount, currency } = asRecord(update.cost);
  return currency === "USD" ? asAmount(amount) : null;
}

const NO_USAGE: UsageFigures = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
};

type Spent = Pick<PromptEnd, "figures" | "costUsd">;

/** What one prompt took, of an agent that counts over a whole session. */
export class SessionMeter {
  /** What the session had used and cost before the next prompt; unknown is null. */
  #figures = NO_USAGE;
  #costUsd: number | null;

  /** A process counts its own tokens, but knows what a session cost before it. */
  constructor(isNewSession: boolean) {
    this.#costUsd = isNewSession ? 0 : null;
  }

  /** The session's cost was told outside of a prompt. */
  noteCost(costUsd: number): void {
    this.#costUsd = costUsd;
  }

  measure({ figures, costUsd }: Spent, { usage }: Pick<AcpTraits, "usage">): Spent {
    const before = { figures: this.#figures, costUsd: this.#costUsd };
    this.#figures = figures;
    this.#costUsd = costUsd ?? this.#costUsd;
    return {
      figures: usage === "session" ? subtractUsage(figures, before.figures) : figures,
      costUsd: subtract(costUsd, before.costUsd),
    };
  }
}

/** The figures of several prompts as one; a sum with a hole in it is not a sum. */
export const addSpent = (left: Spent, right: Spent): Spent => ({
  figures: mapUsage((name) => addTokens(left.figures[name], right.figures[name])),
  costUsd: addTokens(left.costUsd, right.costUsd),
});

const subtractUsage = (whole: UsageFigures, before: UsageFigures): UsageFigures =>
  mapUsage((name) => subtract(whole[name], before[name]));

const mapUsage = (map: (name: keyof UsageFigures) => number | null): UsageFigures => ({
  input: map("input"),
  output: map("output"),
  cacheRead: map("cacheRead"),
  cacheWrite: map("cacheWrite"),
  reasoning: map("reasoning"),
});

/** Null too where the count began anew. */
const subtract = (whole: number | null, part: number | null): number | null =>
  whole === null || part === null || whole < part ? null : whole - part;
