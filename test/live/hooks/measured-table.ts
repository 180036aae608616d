// The table of docs/hooks.md that is made from what was observed: a row per ability, a column per agent.
import { join } from "node:path";
import { INSTALLERS } from "../../support/agents.ts";
import { LAB_AGENTS, type LabAgent, pinnedVersion } from "../lab.ts";
import { readPart, replacePart, writeTable } from "../page/page-parts.ts";
import { expectedResults, type Results, ROWS, type RowName } from "./expectations.ts";

export const HOOKS_PAGE = join(import.meta.dirname, "..", "..", "..", "docs", "hooks.md");
const PART = "hooks";

/** In the order of the page's other tables. */
const AGENTS = INSTALLERS.flatMap(({ agent }) => LAB_AGENTS.find((one) => one === agent) ?? []);

const isRow = (name: string): name is RowName => Object.hasOwn(ROWS, name);
const NAMES = Object.keys(ROWS).filter(isRow);

/** Each agent's run fills its own column; those of the others stay as they are. */
export function replaceColumn(page: string, agent: LabAgent, results: Results): string {
  const there = readCells(readPart(page, PART));
  const columnOf = (one: LabAgent): readonly string[] => {
    if (one === agent) return NAMES.map((name) => results[name] ?? expectedResults(one)[name]);
    const at = AGENTS.indexOf(one) + 1;
    return NAMES.map((_, row) => there[row + 2]?.[at] ?? "");
  };
  const columns = AGENTS.map(columnOf);
  const head = ["", ...AGENTS.map((one) => `${one} ${pinnedVersion(one)}`)];
  const rows = NAMES.map((name, row) => [
    ROWS[name],
    ...columns.map((column) => column[row] ?? ""),
  ]);
  return replacePart(page, PART, writeTable(head, rows));
}

const readCells = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
