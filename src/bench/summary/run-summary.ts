// What a run's results say, as numbers. Every report is a rendering of this.
import type { Tally } from "../statistics/pass-at-k.ts";
import type { Spread } from "../statistics/spread.ts";
import type { Interval } from "../statistics/wilson-interval.ts";
import type { Ending } from "../trial.ts";

export interface Figures {
  /** Trials that count: all but `infra` and `cancelled`. */
  readonly tally: Tally;
  /** Null where none counts. */
  readonly passRate: number | null;
  readonly interval: Interval | null;
  /** The share of trials that count; beside every rate, since what could not run is left out of it. */
  readonly coverage: number;
  readonly endings: Readonly<Partial<Record<Ending, number>>>;
  readonly meanScore: number | null;
  readonly costUsd: Spread | null;
  readonly agentMs: Spread | null;
  readonly tokens: Spread | null;
  readonly turns: Spread | null;
  /** What is known of the cost, of all that count. */
  readonly totalUsd: number | null;
  /** Some did not say what they cost: what is known is the least it can have been. */
  readonly isCostPartial: boolean;
  readonly usdPerSolved: number | null;
}

export interface CellSummary extends Figures {
  readonly agentId: string;
  readonly caseId: string;
  readonly severalTries: readonly SeveralTries[];
  /** Passed some times and not others. */
  readonly isFlaky: boolean;
}

export interface SeveralTries {
  readonly k: number;
  /** The chance that one of k passes, and that all do; of an agent, the mean over its cases. */
  readonly once: number;
  readonly always: number;
}

export interface AgentSummary extends Figures {
  readonly agentId: string;
  readonly severalTries: readonly SeveralTries[];
  readonly models: readonly string[];
  readonly versions: readonly string[];
}

export interface Comparison {
  readonly left: string;
  readonly right: string;
  /** Of the mean pass rate over the cases both were tried on, left minus right. */
  readonly difference: number;
  readonly interval: Interval;
  readonly p: number;
  readonly verdict: "left" | "right" | "no difference shown";
  readonly cases: number;
}

export interface RunSummary {
  readonly agents: readonly AgentSummary[];
  readonly cases: readonly string[];
  readonly cells: readonly CellSummary[];
  readonly comparisons: readonly Comparison[];
  readonly trials: number;
  readonly reused: number;
}
