// One entry of the journal in words: what was asked, of whom, how it stands, what it took.
import { countOf, formatCost, formatDuration, formatTimestamp } from "../../agents/log/figures.ts";
import { isJsonObject } from "../../core/project/json-value.ts";
import type { JournalEntry, RunRecord } from "../journal/journal.ts";

/** How a call stands, in the words of every view. */
export type CallState = "runs" | "waits" | "done" | "failed" | "skipped" | "stopped";

type StateFacts = Pick<JournalEntry, "status" | "waiting">;

export function callStateOf({ status, waiting }: StateFacts): CallState {
  if (status !== "running") return status;
  return waiting === null ? "runs" : "waits";
}

const UNSEEN = new Set<JournalEntry["kind"]>(["now", "random", "file"]);

/** What a person would call a step; the clock, a drawn number and a look for a file are none. */
export const isCall = ({ kind }: Pick<JournalEntry, "kind">): boolean => !UNSEEN.has(kind);

/** In a workflow of stages the stage is the phase of everything in it: of checks, commands and questions, too. */
export function withPhases(
  { form }: Pick<RunRecord, "form">,
  entries: readonly JournalEntry[],
): readonly JournalEntry[] {
  if (form === "script") return entries;
  return entries.map((entry) => ({ ...entry, phase: entry.phase ?? stageIn(entry.path) }));
}

/** Of `build#1/2/check/0` it is `build`. */
const stageIn = (path: string): string | null => /^(.+?)#\d+\//.exec(path)?.[1] ?? null;

/** Who does it: the agent with its model, or the kind of work. */
export function describeDoer({ kind, agent, model }: JournalEntry): string {
  if (kind !== "agent") return kind;
  return [agent ?? "agent", model].filter((part) => part !== null).join(" ");
}

const TEXT_FIELDS = ["prompt", "question", "line"] as const;

/** What was asked, as a person would read it: the prompt, the question, the line. */
export function askedText({ asked, kind }: Pick<JournalEntry, "asked" | "kind">): string {
  if (typeof asked === "string") return asked;
  if (!isJsonObject(asked)) return asked === null ? "" : JSON.stringify(asked);
  const text = TEXT_FIELDS.map((field) => asked[field]).find((value) => typeof value === "string");
  if (typeof text === "string") return text;
  if (kind === "command" && typeof asked.name === "string") {
    const { args } = asked;
    const words = Array.isArray(args)
      ? args.map(String)
      : args === undefined
        ? []
        : [JSON.stringify(args)];
    return [asked.name, ...words].join(" ");
  }
  if (kind === "sleep" && typeof asked.ms === "number") return formatDuration(asked.ms);
  return JSON.stringify(asked);
}

/** What it gave; a text as it is, data as JSON. Null where there is none. */
export function givenText({ result }: Pick<JournalEntry, "result">): string | null {
  if (result === undefined || result === null) return null;
  return typeof result === "string" ? result : JSON.stringify(result, null, 2);
}

export const elapsedMs = (
  { startedAt, endedAt }: Pick<JournalEntry, "startedAt" | "endedAt">,
  now: number,
): number => Math.max(0, (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt));

/** Input and output together where the agent says no total. */
export function tokensOf({ usage }: Pick<JournalEntry, "usage">): number | null {
  if (usage === null) return null;
  if (usage.totalTokens !== null) return usage.totalTokens;
  if (usage.inputTokens === null && usage.outputTokens === null) return null;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** Time, tokens, cost; what is not known is left out. */
export function callFigures(entry: JournalEntry, now: number): string[] {
  const tokens = tokensOf(entry);
  const cost = entry.usage?.costUsd ?? null;
  return [
    formatDuration(elapsedMs(entry, now)),
    ...(tokens === null ? [] : [countOf(tokens, "token")]),
    ...(cost === null ? [] : [formatCost(cost)]),
  ];
}

const TIMES: Readonly<Record<number, string>> = { 2: "twice", 3: "three times" };

/** Why something may have been paid for more than once; null where it was started once, and for what a person is asked. */
export function describeStarts({ starts, runIds, kind }: JournalEntry): string | null {
  if (starts <= 1 || kind === "ask") return null;
  const times = TIMES[starts] ?? `${starts} times`;
  const runs = kind === "agent" && runIds.length > 1 ? `, ${runIds.length} runs of the agent` : "";
  return `started ${times}: its owner died, its quota was used up, or somebody wanted it again${runs}`;
}

/** What a call is about in a line: `failed: QUOTA: …`, what it waits for, or how its command ended. */
export function describeTrouble(entry: JournalEntry): string | null {
  const { problem, waiting, status } = entry;
  if (status === "running") return waiting;
  if (problem === null) return describeExit(entry);
  return problem.code === "" ? problem.message : `${problem.code}: ${problem.message}`;
}

/** A command that failed was run to its end: what that means is for the stage or the script to say. */
function describeExit({ kind, result }: JournalEntry): string | null {
  const exitCode = kind === "command" && isJsonObject(result) ? result.exitCode : 0;
  return typeof exitCode === "number" && exitCode !== 0 ? `exit code ${exitCode}` : null;
}

export const describeUntil = (until: string | null): string =>
  until === null ? "" : ` until ${formatTimestamp(until)}`;
