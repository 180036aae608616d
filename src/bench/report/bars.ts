// What a run must reach: `pass_rate < 0.8` as a reason to fail. Parsed by hand: an expression is never evaluated.
import type { AgentSummary, RunSummary } from "./summary.ts";

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

/** Of these 80 can only be meant as a percentage, and as a number it would always be missed, or never. */
const SHARES: ReadonlySet<string> = new Set(["pass_rate", "pass_rate_low", "coverage", "score"]);

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

export interface BarProblem {
  /** The character it is about, from 1. */
  readonly column: number;
  readonly problem: string;
  /** What stands where a metric should, for a guess at the one that was meant. */
  readonly metric: string | null;
}

const NUMBER = /^(-?(?:\d+(?:\.\d+)?|\.\d+))\s*(%?)$/;

/** `METRIC < NUMBER`, or `AGENT.METRIC < NUMBER`; `80 %` is 0.8. */
export function parseBar(text: string): Bar | BarProblem {
  const found = /[<>]=?/.exec(text);
  const subject = text.slice(0, found?.index ?? text.search(/\s*([=!].*)?$/));
  const metric = subject.slice(subject.lastIndexOf(".") + 1).trim();
  if (!Object.hasOwn(METRICS, metric)) {
    const column = subject.trimEnd().length - metric.length + 1;
    const problem = metric === "" ? "expected a metric" : `there is no metric \`${metric}\``;
    return { column, problem, metric };
  }
  if (found === null) return expected("`<`, `<=`, `>` or `>=`", text, subject.trimEnd().length);
  const [operator] = found;
  const from = found.index + operator.length;
  const [, digits, unit] = NUMBER.exec(text.slice(from).trim()) ?? [];
  if (digits === undefined) return expected("a number", text, from);
  const agent = subject.slice(0, Math.max(0, subject.lastIndexOf("."))).trim();
  const value = Number(digits) / (unit === "%" ? 100 : 1);
  const problem = checkUnit(metric, value, unit === "%");
  if (problem !== null)
    return { column: from + text.slice(from).search(/\S/) + 1, problem, metric: null };
  return { text: text.trim(), agentId: agent === "" ? null : agent, metric, operator, value };
}

function checkUnit(metric: string, value: number, isPercent: boolean): string | null {
  if (!SHARES.has(metric)) return isPercent ? `\`${metric}\` is no share, and has no \`%\`` : null;
  if (value >= 0 && value <= 1) return null;
  const isMeantAsPercent = !isPercent && value > 1 && value <= 100;
  const meant = isMeantAsPercent ? `: \`${value / 100}\` or \`${value} %\`` : "";
  return `\`${metric}\` is from 0 to 1${meant}`;
}

/** At the first character after that place that is no space. */
function expected(what: string, text: string, after: number): BarProblem {
  const spaces = text.slice(after).search(/\S|$/);
  return { column: after + spaces + 1, problem: `expected ${what}`, metric: null };
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
