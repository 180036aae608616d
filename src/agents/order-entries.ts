// Messages and tool calls are two lists in the log; a reader wants one. Messages are in the order in
// which they came, and a tool's answer among them shows where its call belongs.
import type { LogMessage, RunLog, ToolCall } from "./run-log.ts";

export interface CallEntry {
  readonly kind: "call";
  readonly call: ToolCall;
  /** What was said inside the call: a sub-agent's words. */
  readonly inside: readonly LogMessage[];
}

export interface MessageEntry {
  readonly kind: "message";
  readonly message: LogMessage;
}

export type Entry = CallEntry | MessageEntry;

interface OpenEntry extends CallEntry {
  readonly inside: LogMessage[];
}

export function orderEntries({ messages, tool_calls, execution }: RunLog): readonly Entry[] {
  const calls: readonly OpenEntry[] = tool_calls.map((call) => ({
    kind: "call",
    call,
    inside: [],
  }));
  const placeOf = new Map(calls.map(({ call: { id } }, place) => [id, place]));
  const answered = new Set(messages.map(({ parent }) => parent));
  const entries: Entry[] = [];
  let placed = 0;

  // Calls keep their own order: what was called earlier stands earlier.
  const placeThrough = (place: number): void => {
    for (const entry of calls.slice(placed, place + 1)) entries.push(entry);
    placed = Math.max(placed, place + 1);
  };
  const placeStartedBefore = (timestamp: string | undefined): void => {
    while (isStartedUnanswered(calls[placed]?.call, answered, timestamp)) placeThrough(placed);
  };

  for (const message of messages) {
    const place = message.parent === undefined ? undefined : placeOf.get(message.parent);
    if (place === undefined) {
      placeStartedBefore(message.timestamp);
      entries.push({ kind: "message", message });
    } else {
      placeThrough(place);
      calls[place]?.inside.push(...wordsInside(calls[place].call, message));
    }
  }
  const rest = calls.slice(placed);
  // A run that succeeded ends with its answer; one that was cut may end in the middle of a call.
  const end = execution.status === "success" ? placeOfAnswer(entries) : entries.length;
  return [...entries.slice(0, end), ...rest, ...entries.slice(end)];
}

/** A call that no message answers is placed by the clock, as far as the log has one. */
function isStartedUnanswered(
  call: ToolCall | undefined,
  answered: ReadonlySet<string | undefined>,
  timestamp: string | undefined,
): boolean {
  if (call?.started_at === undefined || timestamp === undefined) return false;
  return !answered.has(call.id) && Date.parse(call.started_at) <= Date.parse(timestamp);
}

/** The message that repeats a call's result is the result, not something said inside. */
const wordsInside = ({ result }: ToolCall, message: LogMessage): readonly LogMessage[] =>
  message.role === "tool" && message.content === result ? [] : [message];

function placeOfAnswer(entries: readonly Entry[]): number {
  const last = entries.at(-1);
  const isAnswer = last?.kind === "message" && last.message.role === "assistant";
  return isAnswer ? entries.length - 1 : entries.length;
}
