// Agents that count over a whole session: what of it one prompt took.
import { addTokens, type UsageFigures } from "../../log/usage.ts";
import type { PromptEnd } from "./prompt-reader.ts";
import type { AcpTraits } from "./traits.ts";

const NO_USAGE: UsageFigures = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
};

type Spent = Pick<PromptEnd, "figures" | "costUsd">;

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
