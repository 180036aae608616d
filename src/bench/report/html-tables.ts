import { escapeHtml } from "../../agents/transcript/html-escape.ts";
import type { CellSummary, RunSummary } from "../summary/run-summary.ts";
import { cellText, figureFacts } from "./cell-text.ts";

export type Look = "plain" | "good" | "bad" | "mixed";

export const writeBadge = (text: string, look: Look): string =>
  look === "plain"
    ? `<span class="quiet">${escapeHtml(text)}</span>`
    : `<span class="badge ${look}">${escapeHtml(text)}</span>`;

export const writeTable = (
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string =>
  writeCells(
    titles,
    rows.map((row) => row.map(escapeHtml)),
  );

/** Where the matrix leads to. */
export const anchorOf = (place: number): string => `cell-${place}`;

/** Cases by agents: what passes always, never, and now and then can be told at a glance. */
export const writeMatrix = ({ agents, cases, cells }: RunSummary): string => {
  const places = new Map(
    cells.map((cell, place) => [JSON.stringify([cell.caseId, cell.agentId]), { cell, place }]),
  );
  return writeCells(
    ["CASE", ...agents.map(({ agentId }) => agentId)],
    cases.map((caseId) => [
      escapeHtml(caseId),
      ...agents.map(({ agentId }) => {
        const found = places.get(JSON.stringify([caseId, agentId]));
        return found === undefined ? "" : writeMatrixCell(found.cell, found.place);
      }),
    ]),
  );
};

function writeMatrixCell(cell: CellSummary, place: number): string {
  const facts = figureFacts(cell).join(" · ");
  const badge = writeBadge(cellText(cell), lookOfCell(cell));
  if (Object.keys(cell.endings).length === 0) return badge;
  return `<a href="#${anchorOf(place)}" title="${escapeHtml(facts)}">${badge}</a>`;
}

export function lookOfCell({ tally: { passed, trials } }: CellSummary): Look {
  if (trials === 0) return "plain";
  if (passed === trials) return "good";
  return passed === 0 ? "bad" : "mixed";
}

/** Of HTML; the first of a row names it. */
function writeCells(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = titles.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join("");
  const body = rows.map(([first = "", ...rest]) => {
    const cells = rest.map((html) => `<td>${html}</td>`).join("");
    return `<tr><th scope="row">${first}</th>${cells}</tr>`;
  });
  return `<div class="scroll card"><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}
