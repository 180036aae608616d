// A run as it stands now, for whoever watches: lines to be painted again and again, and what changed since the last look.
// Pure: the record, the entries, open questions and the clock in, text out.
import { formatDuration } from "../../agents/log/figures.ts";
import type { Question } from "../../core/store/questions.ts";
import { cutText, displayWidth, padEnd, plainLine } from "../../core/terminal/text-columns.ts";
import { describeQuestion } from "../../session/question-text.ts";
import type { JournalEntry, RunRecord } from "../journal/journal.ts";
import {
  type CallState,
  callFigures,
  callStateOf,
  describeDoer,
  describeStarts,
  describeTrouble,
  elapsedMs,
  isCall,
} from "./call-facts.ts";
import { countCalls, describeCounts, describeStatus, runFigures } from "./run-summary.ts";

/** All that a view of a run is made of. */
export interface RunView {
  readonly run: RunRecord;
  readonly entries: readonly JournalEntry[];
  /** The open ones, of any session. */
  readonly questions: readonly Question[];
  readonly now: number;
}

const MARKS: Readonly<Record<CallState, string>> = {
  runs: "▸",
  waits: "…",
  done: "✓",
  failed: "✗",
  skipped: "–",
  stopped: "■",
};

const MAX_LABEL = 40;

/** At most so many lines: what is finished gives way first, then what is under way. */
export function drawRun(view: RunView, maxLines: number): string[] {
  const { run, entries, now } = view;
  const head = `${plainLine(run.workflow)}  ${run.id}  ${plainLine(describeStatus(run))}`;
  const figures = runFigures(run, entries, now).join(" · ");
  const room = maxLines - 2;
  const groups = groupByPhase(entries);
  const lines = fitGroups(groups, view, room);
  return [head, figures, ...lines];
}

interface PhaseGroup {
  readonly title: string | null;
  readonly calls: readonly JournalEntry[];
}

/** In the order in which the phases were first seen; what stands in none comes first. */
function groupByPhase(entries: readonly JournalEntry[]): PhaseGroup[] {
  const groups = Map.groupBy(entries.filter(isCall), ({ phase }) => phase);
  const found = [...groups].map(([title, calls]) => ({ title, calls }));
  return found.toSorted((one, other) => Number(one.title !== null) - Number(other.title !== null));
}

/** First everything, then phases that are over in one line each, then only what is not over. */
function fitGroups(groups: readonly PhaseGroup[], view: RunView, room: number): string[] {
  const whole = groups.flatMap((group) => drawGroup(group, view));
  if (whole.length <= room) return whole;
  const folded = groups.flatMap((group) =>
    isOver(group) ? [foldGroup(group)] : drawGroup(group, view),
  );
  if (folded.length <= room) return folded;
  const open = groups.flatMap((group) =>
    isOver(group)
      ? [foldGroup(group)]
      : [foldGroup(group), ...drawCalls(group.calls.filter(isOpen), view)],
  );
  const hidden = open.length - room;
  return hidden <= 0 ? open : [...open.slice(0, room - 1), `  … and ${hidden + 1} lines more`];
}

const isOpen = ({ status }: JournalEntry): boolean => status === "running";
const isOver = ({ calls }: PhaseGroup): boolean => !calls.some(isOpen);

const foldGroup = ({ title, calls }: PhaseGroup): string =>
  `${plainLine(title ?? "calls")}  ${describeCounts(countCalls(calls))}`;

function drawGroup(group: PhaseGroup, view: RunView): string[] {
  const calls = drawCalls(group.calls, view);
  return group.title === null ? calls : [plainLine(group.title), ...calls];
}

function drawCalls(calls: readonly JournalEntry[], view: RunView): string[] {
  const rows = calls.map((entry) => ({
    entry,
    number: String(entry.number),
    label: cutText(plainLine(entry.label), MAX_LABEL),
    doer: plainLine(describeDoer(entry)),
    figures: callFigures(entry, view.now),
  }));
  const widest = (pick: (row: (typeof rows)[number]) => string): number =>
    Math.max(0, ...rows.map((row) => displayWidth(pick(row))));
  const widths = {
    number: widest(({ number }) => number),
    label: widest(({ label }) => label),
    doer: widest(({ doer }) => doer),
    time: widest(({ figures: [time = ""] }) => time),
  };
  return rows.map(({ entry, number, label, doer, figures: [time = "", ...figures] }) => {
    const note = noteOf(entry, view);
    const columns = [
      `  ${MARKS[callStateOf(entry)]} ${number.padStart(widths.number)}`,
      padEnd(label, widths.label),
      padEnd(doer, widths.doer),
      time.padStart(widths.time),
      ...figures,
      ...(note === null ? [] : [note]),
    ];
    return columns.join("  ").trimEnd();
  });
}

/** What a person should know of it now: the question with how to answer, the trouble, that it was started again. */
function noteOf(entry: JournalEntry, { questions }: RunView): string | null {
  const question = questionOf(entry, questions);
  const said = question === null ? describeTrouble(entry) : describeQuestion(question);
  const notes = [said, describeStarts(entry)].filter((note) => note !== null);
  return notes.length === 0 ? null : plainLine(notes.join("; "));
}

/** The open question that this call waits for. */
export function questionOf(
  { sessionId, status, waiting }: JournalEntry,
  questions: readonly Question[],
): Question | null {
  if (status !== "running" || waiting === null) return null;
  const own = questions.filter((question) => question.sessionId === sessionId);
  return own.find(({ id }) => waiting.includes(id)) ?? own[0] ?? null;
}

// What changed between two looks: a line each in a pipe, an object each for a program.

export type RunEvent =
  | {
      readonly kind: "run";
      readonly run: string;
      readonly workflow: string;
      readonly status: RunRecord["status"];
      readonly reason: string | null;
      readonly waitingUntil: string | null;
      readonly text: string;
    }
  | {
      readonly kind: "call";
      readonly run: string;
      readonly number: number;
      readonly state: CallState;
      readonly label: string;
      readonly phase: string | null;
      readonly agent: string | null;
      readonly model: string | null;
      readonly elapsedMs: number;
      readonly usage: JournalEntry["usage"];
      readonly problem: JournalEntry["problem"];
      readonly waiting: string | null;
      /** What to answer with `adj answer`. */
      readonly question: string | null;
      readonly starts: number;
      readonly text: string;
    };

const ENDED: readonly RunRecord["status"][] = ["done", "failed", "stopped", "paused"];

export const isEnded = ({ status }: Pick<RunRecord, "status">): boolean => ENDED.includes(status);

/**
 * Null before the first look: then all there is has changed. A run that was over by then is told as one that was seen
 * running, so that a short one reads as a long one does.
 */
export function listChanges(before: RunView | null, after: RunView): RunEvent[] {
  const { run } = after;
  if (before === null && isEnded(run)) {
    const begun = { ...run, status: "running", reason: null } as const;
    return [describeRun(begun), ...listChanges({ ...after, run: begun, entries: [] }, after)];
  }
  const known = new Map(before?.entries.map((entry) => [entry.number, entry]));
  const calls = after.entries.filter(isCall).flatMap((entry) => {
    const earlier = known.get(entry.number);
    const isSame = earlier !== undefined && standingOf(earlier) === standingOf(entry);
    return isSame ? [] : [describeCall(entry, after)];
  });
  const isNew = before === null || describeStatus(before.run) !== describeStatus(run);
  if (!isNew) return calls;
  // Its end is the last that is to be told of it.
  return isEnded(run) ? [...calls, describeRun(run)] : [describeRun(run), ...calls];
}

const standingOf = (entry: JournalEntry): string =>
  JSON.stringify([callStateOf(entry), entry.waiting, entry.starts]);

function describeRun(run: RunRecord): RunEvent {
  const { id, workflow, status, reason, waitingUntil } = run;
  const text = plainLine(`${workflow} (${id}) ${describeStatus(run)}`);
  return { kind: "run", run: id, workflow, status, reason, waitingUntil, text };
}

function describeCall(entry: JournalEntry, view: RunView): RunEvent {
  const { runId: run, number, label, phase, agent, model, usage, problem, waiting, starts } = entry;
  const state = callStateOf(entry);
  const figures = state === "runs" ? [] : callFigures(entry, view.now).slice(1);
  const took = formatDuration(elapsedMs(entry, view.now));
  const time = entry.status === "running" ? "" : ` in ${took}`;
  const facts = [describeDoer(entry), ...(entry.status === "running" ? [] : figures)].join(", ");
  const note = noteOf(entry, view);
  const where = phase === null ? "" : `${phase}: `;
  const text = plainLine(
    `${number} ${where}${label} ${state}${time} (${facts})${note === null ? "" : `: ${note}`}`,
  );
  return {
    kind: "call",
    run,
    number,
    state,
    label,
    phase,
    agent,
    model,
    elapsedMs: elapsedMs(entry, view.now),
    usage,
    problem,
    waiting,
    question: questionOf(entry, view.questions)?.id ?? null,
    starts,
    text,
  };
}
