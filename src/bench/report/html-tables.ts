import { escapeHtml } from "../../agents/transcript/html-escape.ts";
import type { CellSummary, RunSummary } from "../summary/run-summary.ts";
import { cellText } from "./figures-text.ts";

const CLASSES = ["plain", "good", "bad", "mixed"] as const;
type CellClass = (typeof CLASSES)[number];

interface Cell {
  readonly text: string;
  readonly look: CellClass;
}

export const writeTable = (
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string =>
  writeCells(
    titles,
    rows.map((row) => row.map((text) => ({ text, look: "plain" as const }))),
  );

/** Cases by agents: what passes always, never, and now and then can be told at a glance. */
export const writeMatrix = ({ agents, cases, cells }: RunSummary): string =>
  writeCells(
    ["CASE", ...agents.map(({ agentId }) => agentId)],
    cases.map((caseId) => [
      { text: caseId, look: "plain" },
      ...agents.map(({ agentId }): Cell => {
        const cell = cells.find((one) => one.agentId === agentId && one.caseId === caseId);
        return cell === undefined
          ? { text: "", look: "plain" }
          : { text: cellText(cell), look: lookOf(cell) };
      }),
    ]),
  );

function lookOf({ tally: { passed, trials } }: CellSummary): CellClass {
  if (trials === 0) return "plain";
  if (passed === trials) return "good";
  return passed === 0 ? "bad" : "mixed";
}

function writeCells(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const head = titles.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join("");
  const body = rows.map(([first, ...rest]) => {
    const cells = rest.map(({ text, look }) =>
      look === "plain"
        ? `<td>${escapeHtml(text)}</td>`
        : `<td><span class="badge ${look}">${escapeHtml(text)}</span></td>`,
    );
    return `<tr><th scope="row">${escapeHtml(first?.text ?? "")}</th>${cells.join("")}</tr>`;
  });
  return `<div class="scroll card"><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}
