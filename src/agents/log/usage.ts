// Token figures of a run: what agents report in different senses, brought to one, and added up.
import type { UsageEvent } from "./event.ts";
import type { RunUsage } from "./run-log.ts";

/** Token figures in the log's own sense: input with cache, output with reasoning; null is unknown. */
export interface UsageFigures {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
}

export const UNKNOWN_USAGE: UsageFigures = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
};

/** Unknown and anything is unknown: a sum with a hole in it is not a sum. */
export function addTokens(...parts: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const part of parts) {
    if (part === null) return null;
    sum += part;
  }
  return sum;
}

/** Input of an agent that counts cache reads and writes beside its input, not in it. */
export function withCache(figures: UsageFigures): UsageFigures {
  if (figures.input === null) return figures;
  const input = figures.input + (figures.cacheRead ?? 0) + (figures.cacheWrite ?? 0);
  return { ...figures, input };
}

/** Output of an agent that counts reasoning beside its output, not in it. */
export function withReasoning(figures: UsageFigures): UsageFigures {
  if (figures.output === null) return figures;
  return { ...figures, output: figures.output + (figures.reasoning ?? 0) };
}

function addUsage(left: UsageFigures, right: UsageFigures): UsageFigures {
  return {
    input: addTokens(left.input, right.input),
    output: addTokens(left.output, right.output),
    cacheRead: addTokens(left.cacheRead, right.cacheRead),
    cacheWrite: addTokens(left.cacheWrite, right.cacheWrite),
    reasoning: addTokens(left.reasoning, right.reasoning),
  };
}

/** The figures of several models as one; null where there is none. */
export const sumUsage = (all: readonly UsageFigures[]): UsageFigures | null =>
  all.length === 0 ? null : all.reduce(addUsage);

export function describeUsage(figures: UsageFigures): RunUsage {
  const isKnown = Object.values(figures).some((figure) => figure !== null);
  return {
    input_tokens: figures.input,
    output_tokens: figures.output,
    cache_read_tokens: figures.cacheRead,
    cache_write_tokens: figures.cacheWrite,
    reasoning_tokens: figures.reasoning,
    total_tokens: addTokens(figures.input, figures.output),
    source: isKnown ? "output" : "unknown",
  };
}

/** Collects usage events: totals replace what was known, steps are added up. */
export class UsageCollector {
  figures: UsageFigures = UNKNOWN_USAGE;
  costUsd: number | null = null;
  #hasSteps = false;

  add({ figures, costUsd, scope }: UsageEvent): void {
    if (scope === "run" || !this.#hasSteps) {
      this.figures = figures;
      this.costUsd = costUsd ?? this.costUsd;
    } else {
      this.figures = addUsage(this.figures, figures);
      this.costUsd = addCosts(this.costUsd, costUsd);
    }
    this.#hasSteps = scope === "step";
  }
}

/** Rounded, because binary fractions of a cent add up to noise: 0.1 + 0.2 is kept as 0.3. */
function addCosts(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  return Number((left + right).toPrecision(12));
}

/** A turn's own figures where those that the agent tells are of the whole conversation so far. */
export class UsageTotals {
  #figures: UsageFigures = UNKNOWN_USAGE;
  #costUsd: number | null = null;
  /** False where the first figures have turns of an earlier process in them, so that they say nothing of this one. */
  #isKnown: boolean;

  constructor(isKnown: boolean) {
    this.#isKnown = isKnown;
  }

  /** The agent has forgotten what was said, and what it cost: it counts from the beginning. */
  reset(): void {
    this.#figures = UNKNOWN_USAGE;
    this.#costUsd = null;
    this.#isKnown = true;
  }

  take(event: UsageEvent): UsageEvent {
    const added = { figures: combine(event.figures, this.#figures, subtract) };
    const costUsd = subtract(event.costUsd, this.#costUsd);
    // A turn that failed before its first request may have zeros: they take nothing back.
    this.#figures = combine(event.figures, this.#figures, larger);
    this.#costUsd = larger(event.costUsd, this.#costUsd);
    if (this.#isKnown) return { ...event, ...added, costUsd };
    this.#isKnown = true;
    return { ...event, figures: UNKNOWN_USAGE, costUsd: null };
  }
}

type Combine = (total: number | null, before: number | null) => number | null;

const combine = (total: UsageFigures, before: UsageFigures, by: Combine): UsageFigures => ({
  input: by(total.input, before.input),
  output: by(total.output, before.output),
  cacheRead: by(total.cacheRead, before.cacheRead),
  cacheWrite: by(total.cacheWrite, before.cacheWrite),
  reasoning: by(total.reasoning, before.reasoning),
});

/** Rounded, because binary fractions of a cent leave noise. */
const subtract: Combine = (total, before) =>
  total === null ? null : Math.max(0, Number((total - (before ?? 0)).toPrecision(12)));

const larger: Combine = (total, before) =>
  total === null || before === null ? (total ?? before) : Math.max(total, before);
