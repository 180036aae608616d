// Every trial behind a fold, those of a case and an agent together: figures, grades, changes, transcript.

import { orderEntries } from "../../agents/log/collect-entries.ts";
import { RUN_LOG } from "../../agents/log/run-log.ts";
import { cutLine } from "../../agents/log/text.ts";
import { writeHtmlEntry } from "../../agents/log/transcript/html.ts";
import {
  type BadgeStyle,
  escapeHtml,
  writeBadge,
  writeCells,
  writePatchHtml,
  writeTable,
} from "../../agents/log/transcript/html-page.ts";
import { parseJson } from "../../core/project/json-value.ts";
import type { TrialEnding, TrialResult } from "../suite/trial.ts";
import { figureFacts, formatCell, formatScore, formatSeconds } from "./figures.ts";
import { groupNotPassed } from "./report.ts";
import type { CellSummary, RunSummary } from "./summary.ts";

export interface Contents {
  /** Null where it is gone, or where the page has become large enough. */
  read(hash: string): Promise<string | null>;
}

/** Names a case with an agent; ids may hold any mark that could stand between them. */
export const cellKey = ({ caseId, agentId }: Pick<CellSummary, "caseId" | "agentId">): string =>
  JSON.stringify([caseId, agentId]);

interface CellTrials {
  readonly cell: CellSummary;
  readonly index: number;
  readonly results: readonly TrialResult[];
}

export async function writeCellTrials(
  { cell, index, results }: CellTrials,
  contents: Contents,
): Promise<string> {
  if (results.length === 0) return "";
  const trials: string[] = [];
  for (const [number, result] of failedFirst(results).entries())
    trials.push(await writeTrial({ result, id: trialAnchor(index, number) }, contents));
  const title = `${writeBadge(formatCell(cell), lookOfCell(cell))} ${escapeHtml(`${cell.caseId} · ${cell.agentId}`)}`;
  const facts = `<p class="quiet">${escapeHtml(figureFacts(cell).join(" · "))}</p>`;
  return `<details class="cell"><summary>${title}</summary><div class="inner">${facts}${trials.join("\n")}</div></details>`;
}

/** Whoever opens a report wants to know what went wrong; otherwise they stay in their order. */
const failedFirst = (results: readonly TrialResult[]): readonly TrialResult[] =>
  results.toSorted((one, other) => Number(isPassed(one)) - Number(isPassed(other)));

const isPassed = ({ ending }: TrialResult): boolean => ending === "passed";

const LOOKS: Readonly<Partial<Record<TrialEnding, "good" | "mixed">>> = {
  passed: "good",
  infra: "mixed",
  cancelled: "mixed",
};

interface TrialWithId {
  readonly result: TrialResult;
  readonly id: string;
}

async function writeTrial({ result, id }: TrialWithId, contents: Contents): Promise<string> {
  const { repetition, ending, reason, durationMs, evaluations, reusedFrom } = result;
  const rows = evaluations.map((one) => [one.id, one.status, formatScore(one.score), one.message]);
  const parts = [
    reason === null ? "" : `<p>${escapeHtml(reason)}</p>`,
    reusedFrom === null
      ? ""
      : `<p class="quiet">known from run ${escapeHtml(reusedFrom.slice(0, 8))}</p>`,
    rows.length === 0 ? "" : writeTable(["EVALUATOR", "STATUS", "SCORE", "MESSAGE"], rows),
    await writeChanges(result, contents),
    await writeTranscript(result, contents),
  ];
  const title = `#${repetition} ${writeBadge(ending, LOOKS[ending] ?? "bad")} <span class="quiet">${formatSeconds(durationMs)}</span>`;
  return `<details class="trial"><summary>${title}</summary><div class="inner" id="${id}">${parts.join("\n")}</div></details>`;
}

async function writeChanges({ artifacts }: TrialResult, contents: Contents): Promise<string> {
  const names = Object.keys(artifacts).filter((name) => name.endsWith(".patch"));
  const parts: string[] = [];
  for (const name of names) {
    const patch = await contents.read(artifacts[name] ?? "");
    if (patch === null) parts.push(writeMissing("changes"));
    else if (patch !== "") parts.push(writeFold("changes", writePatchHtml(patch)));
  }
  return parts.join("");
}

async function writeTranscript({ artifacts }: TrialResult, contents: Contents): Promise<string> {
  const hash = artifacts["log.json"];
  if (hash === undefined) return "";
  const text = await contents.read(hash);
  if (text === null) return writeMissing("transcript");
  const log = RUN_LOG.safeParse(parseJson(text));
  if (!log.success) return writeMissing("transcript");
  const entries = orderEntries(log.data).map(writeHtmlEntry).join("\n");
  return writeFold("transcript", `<ol class="entries">${entries}</ol>`);
}

const writeFold = (title: string, html: string): string =>
  `<details><summary>${title}</summary>${html}</details>`;

const writeMissing = (what: string): string => `<p class="quiet">${what} not on this page</p>`;

// The matrix of cases and agents.

/** Of what a fold holds, not of the fold: a browser opens the folds around the place that a link leads to. */
const trialAnchor = (index: number, number: number): string => `trial-${index}-${number}`;

/** Cases by agents: what passes always, never, and now and then can be told at a glance. */
export const writeMatrix = ({ agents, cases, cells }: RunSummary): string => {
  const byKey = new Map(cells.map((cell, index) => [cellKey(cell), { cell, index }]));
  return writeCells(
    ["CASE", ...agents.map(({ agentId }) => agentId)],
    cases.map((caseId) => [
      escapeHtml(caseId),
      ...agents.map(({ agentId }) => {
        const found = byKey.get(cellKey({ caseId, agentId }));
        return found === undefined ? "" : writeMatrixCell(found.cell, found.index);
      }),
    ]),
  );
};

function writeMatrixCell(cell: CellSummary, index: number): string {
  const facts = figureFacts(cell).join(" · ");
  const badge = writeBadge(formatCell(cell), lookOfCell(cell));
  if (Object.keys(cell.endings).length === 0) return badge;
  return `<a href="#${trialAnchor(index, 0)}" title="${escapeHtml(facts)}">${badge}</a>`;
}

/** What did not pass and why, with the way to the first such trial. */
export function writeNotPassed({ cells }: RunSummary, results: readonly TrialResult[]): string {
  const groups = groupNotPassed(results);
  if (groups.length === 0) return "";
  const indexes = new Map(cells.map((cell, index) => [cellKey(cell), index]));
  const rows = groups.map(({ caseId, agentId, ending, times, reason }) => {
    const index = indexes.get(cellKey({ caseId, agentId }));
    const name = escapeHtml(`${caseId} · ${agentId}`);
    const look = LOOKS[ending] ?? "bad";
    return [
      index === undefined ? name : `<a href="#${trialAnchor(index, 0)}">${name}</a>`,
      writeBadge(ending, look),
      String(times),
      escapeHtml(cutLine(reason, MAX_REASON_LENGTH)),
    ];
  });
  return `<section class="failures"><h2>Not passed</h2>\n${writeCells(["CASE", "ENDING", "TIMES", "REASON"], rows)}</section>`;
}

const MAX_REASON_LENGTH = 300;

function lookOfCell({ tally: { passed, trials } }: CellSummary): BadgeStyle {
  if (trials === 0) return "plain";
  if (passed === trials) return "good";
  return passed === 0 ? "bad" : "mixed";
}
