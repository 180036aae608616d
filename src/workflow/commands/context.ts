// What the actions of `adj workflow` have in common: the journal, a run by the beginning of its id.
import { type Fault, fault } from "../../core/command/fault.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import type { Journal, JournalEntry, RunRecord } from "../journal/journal.ts";
import { openJournal } from "../journal/sqlite-journal.ts";
import type { WorkflowArguments } from "./arguments.ts";

/** Opened for one piece of work, closed whatever happens. */
export async function withJournal<Result>(
  { program }: Pick<BundledContext, "program">,
  work: (journal: Journal) => Promise<Result> | Result,
): Promise<Result> {
  const journal = openJournal(program.stateDir);
  try {
    return await work(journal);
  } finally {
    journal.close();
  }
}

export const refuseUse = (problem: string, hint: string): Fault =>
  fault("ArgumentsInvalid", { command: "workflow", problem }, { hint });

/** The words an action needs, no more and no less. */
export function takeWords(
  { action, words }: Pick<WorkflowArguments, "action" | "words">,
  needed: readonly string[],
): string[] {
  const missing = needed[words.length];
  if (missing !== undefined)
    throw refuseUse(
      `\`workflow ${action}\` needs ${missing}`,
      `\`adj workflow ${words.length === 0 ? "list" : `show ${words[0]}`}\` has them`,
    );
  const extra = words[needed.length];
  if (extra !== undefined) throw refuseUse(`\`${extra}\` is one word too many`, "leave it out");
  return [...words];
}

/** By the beginning of its id, `last` for the newest of this project, or of all. */
export function findWorkflowRun(journal: Journal, word: string, root: string): RunRecord {
  if (word === "last") {
    const [newest] = [...journal.listRuns({ root, last: 1 }), ...journal.listRuns({ last: 1 })];
    if (newest !== undefined) return newest;
    throw noRun("there is no run yet", "`adj workflow run NAME` makes one");
  }
  const exact = journal.readRun(word);
  if (exact !== null) return exact;
  const fitting = journal.listRuns({}).filter(({ id }) => isBeginning(word, id));
  const [only] = fitting;
  if (only === undefined)
    throw noRun(`there is no run \`${word}\``, "`adj workflow list` has them");
  if (fitting.length > 1)
    throw noRun(`\`${word}\` begins ${fitting.length} runs`, "give more of the id");
  return only;
}

/** Whether a word that may also name a workflow means a run. */
export const isRunWord = (journal: Journal, word: string): boolean =>
  word === "last" ||
  word.startsWith("wf_") ||
  journal.listRuns({}).some(({ id }) => word.length > 3 && isBeginning(word, id));

/** With or without the `wf_` that every id has. */
const isBeginning = (word: string, id: string): boolean =>
  word !== "" && (id.startsWith(word) || id.replace(/^wf_/, "").startsWith(word));

const noRun = (problem: string, hint: string): Fault =>
  fault("InputInvalid", { what: "`adj workflow`", problem }, { hint });

export function findCall(journal: Journal, run: RunRecord, word: string): JournalEntry {
  const number = /^\d+$/.test(word) ? Number(word) : null;
  if (number === null)
    throw refuseUse(
      `a call is named by its number, not \`${word}\``,
      `\`adj workflow show ${run.id}\` has them`,
    );
  const entry = journal.readEntry(run.id, number);
  if (entry === null)
    throw noRun(
      `run ${run.id} has no call ${number}`,
      `\`adj workflow show ${run.id}\` lists them`,
    );
  return entry;
}
