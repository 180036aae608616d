// Numbers as people read them. What is not known is a dash.
import type { Spread } from "../statistics/spread.ts";
import type { MissedBar } from "../summary/bars.ts";
import type { Comparison, Figures } from "../summary/run-summary.ts";
import type { RunReport } from "./run-report.ts";

export const DASH = "–";

export const percent = (value: number | null): string =>
  value === null ? DASH : `${Math.round(value * 100)} %`;

export const interval = ({ interval: found }: Figures): string =>
  found === null ? DASH : `${Math.round(found.low * 100)}–${Math.round(found.high * 100)} %`;

export const dollars = (value: number | null): string =>
  value === null ? DASH : `$${value < 0.1 ? value.toFixed(4) : value.toFixed(2)}`;

export const seconds = (ms: number | null): string => {
  if (ms === null) return DASH;
  if (ms < 950) return `${Math.round(ms)} ms`;
  return ms < 100_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
};

export const count = (value: number | null): string =>
  value === null ? DASH : Math.round(value).toLocaleString("en-US");

export const score = (value: number | null): string => (value === null ? DASH : value.toFixed(2));

/** A difference of rates, in hundredths. */
export const points = (value: number): string =>
  `${value > 0 ? "+" : ""}${Math.round(value * 100)}`.replace("-", "−");

/** The median, with the quartiles where they differ from it. */
export function spreadText(spread: Spread | null, say: (value: number) => string): string {
  if (spread === null) return DASH;
  const [median, low, high] = [spread.median, spread.low, spread.high].map(say);
  return low === high ? `${median}` : `${median} (${low} to ${high})`;
}

/** One sentence; it claims no difference that was not shown. */
export function describeComparison({
  left,
  right,
  verdict,
  difference,
  interval: range,
  p,
}: Comparison): string {
  const spread = `95 % ${points(range.low)} to ${points(range.high)}`;
  const chance = p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
  const facts = [`${points(difference)} points`, spread, chance].join(", ");
  if (verdict === "no difference shown")
    return `${left} and ${right}: no difference shown (${facts})`;
  const [better, worse] = verdict === "left" ? [left, right] : [right, left];
  return `${better} is better than ${worse} (${left} − ${right}: ${facts})`;
}

/** What was asked of the run and did not hold, a line each. */
export const missedLines = ({ missed, worse }: Pick<RunReport, "missed" | "worse">): string[] => [
  ...missed.map(describeMissed),
  ...worse.map((comparison) => `worse than before: ${describeComparison(comparison)}`),
];

const describeMissed = ({ agentId, bar, value }: MissedBar): string =>
  `missed: ${agentId}: ${bar} (${value === null ? "not known" : `it is ${Number(value.toPrecision(3))}`})`;
