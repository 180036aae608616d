// The two tables of every report, as rows of text: one per agent, and the matrix of cases and agents.
import { plainLine } from "../../command/text-columns.ts";
import type { AgentSummary, RunSummary } from "../summary/run-summary.ts";
import { cellText } from "./cell-text.ts";
import { count, dollars, interval, percent, score, seconds, spreadText } from "./figures-text.ts";

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
    `${percent(agent.passRate)} (${agent.tally.passed}/${agent.tally.trials})`,
    interval(agent),
    score(agent.meanScore),
    seconds(agent.agentMs?.median ?? null),
    count(agent.tokens?.median ?? null),
    leastDollars(agent, agent.totalUsd),
    leastDollars(agent, agent.usdPerSolved),
    percent(agent.coverage),
  ]);

const leastDollars = ({ isCostPartial }: AgentSummary, value: number | null): string =>
  isCostPartial && value !== null ? `≥ ${dollars(value)}` : dollars(value);

export const SPREAD_TITLES = ["AGENT", "TIME", "COST", "TOKENS", "TURNS"] as const;

/** What a trial of each agent took: the median, and the middle half. */
export const spreadRows = ({ agents }: RunSummary): string[][] =>
  agents.map(({ agentId, agentMs, costUsd, tokens, turns }) => [
    agentId,
    spreadText(agentMs, seconds),
    spreadText(costUsd, dollars),
    spreadText(tokens, count),
    spreadText(turns, count),
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
      return cell === undefined ? "" : cellText(cell);
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
    return [`${agentId}: pass@${k} ${percent(once)}, pass^${k} ${percent(always)}`];
  });
