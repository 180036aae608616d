// A case and an agent in words.
import type { CellSummary, Figures } from "../summary/run-summary.ts";
import {
  count,
  DASH,
  dollars,
  interval,
  percent,
  score,
  seconds,
  spreadText,
} from "./figures-text.ts";

/**
 * How a cell of the matrix reads: `4/5`, with a mark where it passes now and then; `2/2 of 5` where some could
 * not run, `5 infra` where none could.
 */
export function cellText({ tally, coverage, endings, isFlaky }: CellSummary): string {
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
    passRate === null ? "" : `${percent(passRate)}, 95 % interval ${interval(cell)}`,
    most === undefined || most.k === 1
      ? ""
      : `pass@${most.k} ${percent(most.once)}, pass^${most.k} ${percent(most.always)}`,
    countedEndings(endings),
    coverage < 1 ? `coverage ${percent(coverage)}` : "",
    meanScore === null ? "" : `score ${score(meanScore)}`,
    agentMs === null ? "" : `time ${spreadText(agentMs, seconds)}`,
    costUsd === null
      ? ""
      : `cost ${spreadText(costUsd, dollars)}, ${dollars(cell.usdPerSolved)} per solved`,
    tokens === null ? "" : `tokens ${spreadText(tokens, count)}`,
    turns === null ? "" : `turns ${spreadText(turns, count)}`,
  ].filter((fact) => fact !== "");
}
