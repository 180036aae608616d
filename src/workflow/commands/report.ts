// `adj workflow report RUN`: what happened, as text, Markdown or one page, into the output or a file.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readLog, runFolder } from "../../agents/log/run-files.ts";
import type { RunLog } from "../../agents/log/run-log.ts";
import { Fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { hasSucceeded } from "../../core/process/command-spec.ts";
import { readGit } from "../../core/process/read-git.ts";
import { fileErrorCode, writeNamedFile } from "../../core/project/files.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { readCensus } from "../engine/census.ts";
import type { CallWorktree, Journal, JournalEntry, RunRecord } from "../journal/journal.ts";
import { withPhases } from "../report/call-facts.ts";
import type { KeptWorktree, WorkflowReport } from "../report/report.ts";
import { textReport } from "../report/text-report.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { describeOutcome } from "./conclude.ts";
import { findWorkflowRun, refuseUse, takeWords, withJournal } from "./context.ts";

export const reportRun = (
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> => {
  if (args.markdown && args.html)
    throw refuseUse("`--markdown` and `--html` are two forms", "give one of them");
  const [word = "last"] = takeWords(
    { ...args, words: args.words.length === 0 ? ["last"] : args.words },
    ["a run"],
  );
  return withJournal(caller, async (journal) => {
    const run = findWorkflowRun(journal, word, caller.program.root);
    const report = await collectReport(journal, run, caller);
    const text = await formatReport(report, args, caller);
    const outcome = {
      ...describeOutcome({ run, entries: report.entries, census: readCensus(journal, run.id) }),
      calls: report.entries,
      worktrees: report.worktrees,
    };
    if (args.out === undefined) return ok(text, outcome);
    const file = resolve(caller.context.workingDirectory, args.out);
    const hint = `nothing is lost: \`adj workflow report ${run.id}\``;
    await writeNamedFile(file, text, { flag: "--out", hint, root: caller.program.root });
    return ok(`wrote ${file}`, { ...outcome, file });
  });
};

async function formatReport(
  report: WorkflowReport,
  { markdown, html }: WorkflowArguments,
  { context }: BundledContext,
): Promise<string> {
  if (html) return (await import("../report/html-report.ts")).htmlWorkflowReport(report);
  if (markdown)
    return (await import("../report/markdown-report.ts")).markdownWorkflowReport(report);
  return textReport(report, screenWidth(context));
}

/** Everything that any form of a report shows. */
async function collectReport(
  journal: Journal,
  run: RunRecord,
  { program, context }: BundledContext,
): Promise<WorkflowReport> {
  const entries = withPhases(run, journal.listEntries(run.id));
  const git = { env: context.env.forChild(), signal: context.signal };
  return {
    run,
    entries,
    logs: new Map(entries.map((entry) => [entry.number, readLogs(entry, program.stateDir)])),
    worktrees: await readWorktrees(entries, run, git),
    now: Date.now(),
  };
}

/** Logs that were removed, or that another version wrote, are not there. */
function readLogs({ runIds }: JournalEntry, stateDir: string): RunLog[] {
  return runIds.flatMap((id) => {
    try {
      return [readLog(runFolder(stateDir, id))];
    } catch (error) {
      const isGone = fileErrorCode(error) === "ENOENT" || error instanceof SyntaxError;
      if (isGone || error instanceof Fault) return [];
      throw error;
    }
  });
}

// What calls left in worktrees of their own, as git tells it; nothing is changed by it.

interface GitContext {
  readonly env: Record<string, string>;
  readonly signal: AbortSignal;
}

/** A larger change is read in git itself. */
const MAX_PATCH = 1_000_000;

async function readWorktrees(
  entries: readonly JournalEntry[],
  { root }: Pick<RunRecord, "root">,
  context: GitContext,
): Promise<KeptWorktree[]> {
  const kept: KeptWorktree[] = [];
  for (const { number, worktree } of entries) {
    if (worktree === null) continue;
    const { path, branch } = worktree;
    kept.push({ number, path, branch, ...(await readChange(worktree, root, context)) });
  }
  return kept;
}

/** What is committed and what is not, against where it started; a worktree that is gone has its branch at the most. */
async function readChange(
  { path, branch, base }: CallWorktree,
  root: string,
  context: GitContext,
): Promise<Pick<KeptWorktree, "diffstat" | "patch">> {
  const isThere = existsSync(path);
  const range = isThere ? [base] : [base, branch];
  const read = (...words: string[]) => readText(words, { ...context, cwd: isThere ? path : root });
  const stat = await read("diff", "--stat=80", ...range, "--");
  if (stat === null) return { diffstat: null, patch: null };
  const added = isThere ? ((await read("ls-files", "--others", "--exclude-standard")) ?? "") : "";
  const patch = await read("diff", ...range, "--");
  return {
    diffstat: [
      ...linesOf(stat).map((line) => line.trim()),
      ...linesOf(added).map((file) => `new file: ${file}`),
    ],
    patch: patch === null || patch.length > MAX_PATCH ? null : patch,
  };
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

async function readText(
  words: readonly string[],
  options: GitContext & { readonly cwd: string },
): Promise<string | null> {
  const ending = await readGit(words, options);
  if (!hasSucceeded(ending)) return null;
  return Buffer.from(ending.stdout).toString();
}
