// Numbers as people read them. What is not known is a dash.
import { plainLine } from "../../core/terminal/text-columns.ts";
import type { Spread } from "../statistics/estimates.ts";
import type { MissedBar } from "./bars.ts";
import type { RunReport } from "./report.ts";
import type { AgentSummary, CellSummary, Comparison, Figures, RunSummary } from "./summary.ts";

const DASH = "–";

export const formatPercent = (value: number | null): string =>
  value === null ? DASH : `${Math.round(value * 100)} %`;

const formatInterval = ({ interval: found }: Figures): string =>
  found === null ? DASH : `${Math.round(found.low * 100)}–${Math.round(found.high * 100)} %`;

export const formatDollars = (value: number | null): string =>
  value === null ? DASH : `$${value < 0.1 ? value.toFixed(4) : value.toFixed(2)}`;

export const formatSeconds = (ms: number | null): string => {
  if (ms === null) return DASH;
  if (ms < 950) return `${Math.round(ms)} ms`;
  return ms < 100_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
};

export const formatCount = (value: number | null): string =>
  value === null ? DASH : Math.round(value).toLocaleString("en-US");

export const formatScore = (value: number | null): string =>
  value === null ? DASH : value.toFixed(2);

/** A difference of rates, in hundredths. */
export const formatPoints = (value: number): string =>
  `${value > 0 ? "+" : ""}${Math.round(value * 100)}`.replace("-", "−");

/** The median, with the quartiles where they differ from it. */
function formatSpread(spread: Spread | null, say: (value: number) => string): string {
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
  correctedP,
  pairs,
}: Comparison): string {
  const spread = `95 % ${formatPoints(range.low)} to ${formatPoints(range.high)}`;
  const corrected = `, ${formatChance(correctedP).replace("= ", "")} corrected for ${pairs} pairs`;
  const chance = `p ${formatChance(p)}${pairs === 1 ? "" : corrected}`;
  const facts = [`${formatPoints(difference)} points`, spread, chance].join(", ");
  if (verdict === "no difference shown")
    return `${left} and ${right}: no difference shown (${facts})`;
  const [better, worse] = verdict === "left" ? [left, right] : [right, left];
  return `${better} is better than ${worse} (${left} − ${right}: ${facts})`;
}

/** Never rounded over the line that decides. */
function formatChance(p: number): string {
  if (p < 0.001) return "< 0.001";
  const rounded = p.toFixed(3);
  return p < 0.05 && rounded === "0.050" ? "< 0.050" : `= ${rounded}`;
}

/** What was asked of the run and did not hold, a line each. */
export const missedLines = ({ missed, worse }: Pick<RunReport, "missed" | "worse">): string[] => [
  ...missed.map(describeMissed),
  ...worse.map((comparison) => `worse than before: ${describeComparison(comparison)}`),
];

const describeMissed = ({ agentId, bar, value }: MissedBar): string =>
  `missed: ${agentId}: ${bar} (${value === null ? "not known" : `it is ${Number(value.toPrecision(3))}`})`;

// A case and an agent in words.

/**
 * How a cell of the matrix reads: `4/5`, with a mark where it passes now and then; `2/2 of 5` where some could
 * not run, `5 infra` where none could.
 */
export function formatCell({ tally, coverage, endings, isFlaky }: CellSummary): string {
  const { passed, trials } = tally;
  if (trials === 0) return countedEndings(endings) || DASH;
  const missing = coverage < 1 ? ` of ${Math.round(trials / coverage)}` : "";
  return `${passed}/${trials}${missing}${isFlaky ? " ~" : ""}`;
}

const countedEndings = (endings: Figures["endings"]): string =>
  Object.entries(endings)
    .map(([ending, times]) => `${times} ${ending}`)
    .join(", ");

/** All its figures, in short. */
export function figureFacts(cell: CellSummary): string[] {
  const { passRate, coverage, endings, meanScore, agentMs, costUsd, tokens, turns } = cell;
  const most = cell.severalTries.at(-1);
  return [
    passRate === null ? "" : `${formatPercent(passRate)}, 95 % interval ${formatInterval(cell)}`,
    most === undefined || most.k === 1
      ? ""
      : `pass@${most.k} ${formatPercent(most.once)}, pass^${most.k} ${formatPercent(most.always)}`,
    countedEndings(endings),
    coverage < 1 ? `coverage ${formatPercent(coverage)}` : "",
    meanScore === null ? "" : `score ${formatScore(meanScore)}`,
    agentMs === null ? "" : `time ${formatSpread(agentMs, formatSeconds)}`,
    costUsd === null
      ? ""
      : `cost ${formatSpread(costUsd, formatDollars)}, ${formatDollars(cell.usdPerSolved)} per solved`,
    tokens === null ? "" : `tokens ${formatSpread(tokens, formatCount)}`,
    turns === null ? "" : `turns ${formatSpread(turns, formatCount)}`,
  ].filter((fact) => fact !== "");
}

// The two tables of every report, as rows of text: one per agent, and the matrix of cases and agents.

export const AGENT_TITLES = [
  "AGENT",
  "PASSED",
  "95 %",
  "SCORE",
  "TIME",
  "TOKENS",
  "COST",
  "PER SOLVED",
  "COVERAGE",
] as const;

export const agentRows = ({ agents }: RunSummary): string[][] =>
  agents.map((agent) => [
    agent.agentId,
    `${formatPercent(agent.passRate)} (${agent.tally.passed}/${agent.tally.trials})`,
    formatInterval(agent),
    formatScore(agent.meanScore),
    formatSeconds(agent.agentMs?.median ?? null),
    formatCount(agent.tokens?.median ?? null),
    leastDollars(agent, agent.totalUsd),
    leastDollars(agent, agent.usdPerSolved),
    formatPercent(agent.coverage),
  ]);

const leastDollars = ({ isCostPartial }: AgentSummary, value: number | null): string =>
  isCostPartial && value !== null ? `≥ ${formatDollars(value)}` : formatDollars(value);

export const SPREAD_TITLES = ["AGENT", "TIME", "COST", "TOKENS", "TURNS"] as const;

/** What a trial of each agent took: the median, and the middle half. */
export const spreadRows = ({ agents }: RunSummary): string[][] =>
  agents.map(({ agentId, agentMs, costUsd, tokens, turns }) => [
    agentId,
    formatSpread(agentMs, formatSeconds),
    formatSpread(costUsd, formatDollars),
    formatSpread(tokens, formatCount),
    formatSpread(turns, formatCount),
  ]);

export const matrixTitles = ({ agents }: RunSummary): string[] => [
  "CASE",
  ...agents.map(({ agentId }) => plainLine(agentId)),
];

export function matrixRows({ agents, cases, cells }: RunSummary): string[][] {
  const byCase = Map.groupBy(cells, ({ caseId }) => caseId);
  return cases.map((caseId) => {
    const own = byCase.get(caseId) ?? [];
    const texts = agents.map(({ agentId }) => {
      const cell = own.find((one) => one.agentId === agentId);
      return cell === undefined ? "" : formatCell(cell);
    });
    return [caseId, ...texts];
  });
}

/** What happens in several tries, where there were several. */
export const severalTriesLines = ({ agents }: RunSummary): string[] =>
  agents.flatMap(({ agentId, severalTries }) => {
    const most = severalTries.at(-1);
    if (most === undefined || most.k === 1) return [];
    const { k, once, always } = most;
    return [`${agentId}: pass@${k} ${formatPercent(once)}, pass^${k} ${formatPercent(always)}`];
  });
