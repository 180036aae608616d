// What one turn used, by an agent that counts on from turn to turn.
import type { UsageEvent } from "../log/event.ts";
import { UNKNOWN_USAGE, type UsageFigures } from "../log/usage.ts";

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
