// What a run must reach: `pass_rate < 0.8` as a reason to fail. Parsed by hand: an expression is never evaluated.
import type { AgentSummary, RunSummary } from "./run-summary.ts";

const METRICS: Readonly<Record<string, (agent: AgentSummary) => number | null>> = {
  pass_rate: ({ passRate }) => passRate,
  pass_rate_low: ({ interval }) => interval?.low ?? null,
  coverage: ({ coverage }) => coverage,
  score: ({ meanScore }) => meanScore,
  cost: ({ totalUsd }) => totalUsd,
  cost_per_solved: ({ usdPerSolved }) => usdPerSolved,
  seconds: ({ agentMs }) => (agentMs === null ? null : agentMs.median / 1_000),
  tokens: ({ tokens }) => tokens?.median ?? null,
  turns: ({ turns }) => turns?.median ?? null,
};
export const METRIC_NAMES: readonly string[] = Object.keys(METRICS);

const OPERATORS: Readonly<Record<string, (value: number, bar: number) => boolean>> = {
  "<": (value, bar) => value < bar,
  "<=": (value, bar) => value <= bar,
  ">": (value, bar) => value > bar,
  ">=": (value, bar) => value >= bar,
};

export interface Bar {
  readonly text: string;
  /** Null counts for every agent. */
  readonly agentId: string | null;
  readonly metric: string;
  readonly operator: string;
  readonly value: number;
}

const BAR = /^\s*(?:(\S+)\.)?([a-z_]+)\s*(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)\s*$/;

/** Null for what is no bar. */
export function parseBar(text: string): Bar | null {
  const [, agentId, metric = "", operator = "", value] = BAR.exec(text) ?? [];
  if (!Object.hasOwn(METRICS, metric)) return null;
  return { text: text.trim(), agentId: agentId ?? null, metric, operator, value: Number(value) };
}

export interface MissedBar {
  readonly bar: string;
  readonly agentId: string;
  /** Null where it is not known, which is no reason to pass. */
  readonly value: number | null;
}

/** A bar says when to fail; what is not known cannot be held to have been reached. */
export function findMissed({ agents }: RunSummary, bars: readonly Bar[]): MissedBar[] {
  return bars.flatMap(({ text, agentId, metric, operator, value: limit }) =>
    agents
      .filter((agent) => agentId === null || agent.agentId === agentId)
      .map((agent) => ({
        bar: text,
        agentId: agent.agentId,
        value: METRICS[metric]?.(agent) ?? null,
      }))
      .filter(({ value }) => value === null || OPERATORS[operator]?.(value, limit) !== false),
  );
}
