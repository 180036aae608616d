// Every call of a run behind a fold: what was asked, what it gave, what the agent did, what it left.
import { orderEntries } from "../../agents/log/collect-entries.ts";
import type { RunLog } from "../../agents/log/run-log.ts";
import { writeHtmlEntry } from "../../agents/log/transcript/html.ts";
import {
  type BadgeStyle,
  escapeHtml,
  writeBadge,
  writePatchHtml,
} from "../../agents/log/transcript/html-page.ts";
import type { JournalEntry } from "../journal/journal.ts";
import {
  askedText,
  type CallState,
  callFigures,
  callStateOf,
  describeDoer,
  describeStarts,
  describeTrouble,
  givenText,
} from "./call-facts.ts";
import { callsOf, type KeptWorktree, type WorkflowReport } from "./report.ts";

export const STATE_LOOKS: Readonly<Record<CallState, BadgeStyle>> = {
  runs: "mixed",
  waits: "mixed",
  done: "good",
  failed: "bad",
  skipped: "mixed",
  stopped: "mixed",
};

/** A browser shows no page of gigabytes; what no longer fits is named. */
const MAX_TRANSCRIPTS = 64_000_000;

export const CALLS_STYLE = `
.of-call { border-top: 1px solid var(--line); padding: .5rem 0; content-visibility: auto; contain-intrinsic-size: auto 2.5rem; }
.of-call:target { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: .25rem; }
.of-call > summary { color: var(--text); overflow-wrap: anywhere; width: auto; }
.of-call h4 { margin: .75rem 0 0; font-size: .8125rem; color: var(--quiet); font-weight: 600; }
.of-call .entries { margin-top: .25rem; }
`;

export function writeCalls(report: WorkflowReport): string {
  let left = MAX_TRANSCRIPTS;
  const transcriptOf = (logs: readonly RunLog[]): string => {
    const html = logs.map(writeTranscript).join("");
    left -= html.length;
    return left < 0 ? `<p class="quiet">transcript not on this page</p>` : html;
  };
  return callsOf(report)
    .map((entry) => {
      const logs = report.logs.get(entry.number) ?? [];
      const kept = report.worktrees.find(({ number }) => number === entry.number) ?? null;
      return writeCall(entry, { report, transcript: transcriptOf(logs), kept });
    })
    .join("\n");
}

interface CallParts {
  readonly report: WorkflowReport;
  /** HTML. */
  readonly transcript: string;
  readonly kept: KeptWorktree | null;
}

function writeCall(entry: JournalEntry, { report, transcript, kept }: CallParts): string {
  const { number, label, phase } = entry;
  const state = callStateOf(entry);
  const facts = [describeDoer(entry), ...callFigures(entry, report.now)].join(" · ");
  const answer = givenText(entry);
  const notes = [describeTrouble(entry), describeStarts(entry)].filter((note) => note !== null);
  const title = `${writeBadge(state, STATE_LOOKS[state])} ${number} ${escapeHtml(label)} <span class="quiet">${escapeHtml(facts)}</span>`;
  const parts = [
    phase === null ? "" : `<p class="quiet">${escapeHtml(phase)}</p>`,
    ...notes.map((note) => `<p>${escapeHtml(note)}</p>`),
    writeBlock("asked", askedText(entry)),
    answer === null ? "" : writeBlock("answered", answer),
    transcript,
    ...entry.runIds.map(
      (id) => `<p class="quiet">log: <code>adj agent log ${escapeHtml(id)}</code></p>`,
    ),
    kept === null ? "" : writeWorktree(kept, report.run.id),
  ];
  const isOpen = state === "failed" || state === "waits";
  return `<details class="of-call" id="call-${number}"${isOpen ? " open" : ""}><summary>${title}</summary><div class="inner">${parts.join("\n")}</div></details>`;
}

/** A parser drops the first line end in a `pre`, so there is always one to drop. */
const writeBlock = (title: string, text: string): string =>
  text === "" ? "" : `<h4>${title}</h4><pre>\n${escapeHtml(text)}</pre>`;

function writeTranscript(log: RunLog): string {
  const entries = orderEntries(log).map(writeHtmlEntry).join("\n");
  return `<details><summary>transcript</summary><ol class="entries">${entries}</ol></details>`;
}

function writeWorktree(
  { number, path, branch, diffstat, patch }: KeptWorktree,
  runId: string,
): string {
  const stat = diffstat === null ? "" : `<pre>\n${escapeHtml(diffstat.join("\n"))}</pre>`;
  const change =
    patch === null || patch === ""
      ? ""
      : `<details><summary>changes</summary>${writePatchHtml(patch)}</details>`;
  return `<h4>worktree</h4><p><code>${escapeHtml(path)}</code>, branch <code>${escapeHtml(branch)}</code>; <code>adj workflow adopt ${escapeHtml(runId)} ${number}</code> merges it</p>${stat}${change}`;
}
