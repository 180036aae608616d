// Messages and tool calls of a run, as they come in events, become the entries of its log.

import { asRecord } from "../../core/project/json-value.ts";
import type { ToolKind } from "../../core/step/envelope.ts";
import type { ToolCallEvent, ToolResultEvent } from "./event.ts";
import { asList, asName } from "./json-fields.ts";
import type { LogMessage, LogToolCall, RunLog } from "./run-log.ts";
import {
  capText,
  capValue,
  MAX_ARGUMENT_LENGTH,
  MAX_MESSAGE_LENGTH,
  MAX_RESULT_LENGTH,
  stripAnsi,
} from "./text.ts";

/** Characters of text and entries kept in one log; what comes later is only counted. */
const MAX_TEXT_LENGTH = 10 * 1024 * 1024;
const MAX_ENTRIES = 50_000;

interface MessageInput {
  readonly role: LogMessage["role"];
  readonly content: string;
  readonly at: string | null;
  readonly parent: string | null;
  readonly leftOut?: number;
}

interface OpenCall {
  call: LogToolCall;
  startedAt: string | null;
  isAnswered: boolean;
}

/** What a tool does, by the name that the agent gives it. */
export type KindOfTool = (name: string) => ToolKind;

/** The messages and tool calls of a run, within a budget however long the run is. */
export class EntryCollector {
  readonly messages: LogMessage[] = [];
  readonly changedPaths = new Set<string>();
  leftOut = 0;
  readonly #kindOfTool: KindOfTool;
  readonly #calls = new Map<string, OpenCall>();
  #textLength = 0;

  constructor(kindOfTool: KindOfTool) {
    this.#kindOfTool = kindOfTool;
  }

  get toolCalls(): LogToolCall[] {
    return [...this.#calls.values()].map(({ call }) => call);
  }

  addMessage({ role, content, at, parent, leftOut }: MessageInput): void {
    // What has no room is not even looked at: most of a very long run passes here.
    const text = this.#isFull ? content : capText(stripAnsi(content), MAX_MESSAGE_LENGTH, leftOut);
    if (text.trim() === "" || !this.#takeRoom(text.length)) return;
    this.messages.push(makeMessage({ role, content: text, at, parent }));
  }

  /** Adds the answer that an agent repeats at its end, unless it is already there. */
  addAnswer(content: string, at: string | null): void {
    const last = this.messages.findLast(
      ({ role, parent }) => role === "assistant" && parent === undefined,
    );
    if (last?.content !== capText(stripAnsi(content), MAX_MESSAGE_LENGTH))
      this.addMessage({ role: "assistant", content, at, parent: null });
  }

  addCall({ id, name, arguments: given, at }: ToolCallEvent): void {
    const known = this.#calls.get(id);
    // Some agents announce a call before they start it: the second event only adds the time.
    if (known !== undefined) {
      known.startedAt = at ?? known.startedAt;
      return;
    }
    const length = textLength(given);
    const args = length > MAX_ARGUMENT_LENGTH ? capValue(given, MAX_ARGUMENT_LENGTH) : given;
    if (!this.#takeRoom(args === given ? length : textLength(args))) return;
    const started = at === null ? {} : { started_at: at };
    const call = { id, name, kind: this.#kindOfTool(name), arguments: args, ...started };
    this.#calls.set(id, { call, startedAt: at, isAnswered: false });
  }

  addResult(event: ToolResultEvent): void {
    const open = this.#calls.get(event.id);
    if (open === undefined) return;
    const clean =
      event.result === null ? null : capText(stripAnsi(event.result), MAX_RESULT_LENGTH);
    const result = clean !== null && this.#takeRoom(clean.length) ? clean : null;
    open.call = completeCall(open, event, result);
    if (open.call.is_error !== true && open.call.permission !== "denied")
      for (const path of changedPaths(open.call)) this.changedPaths.add(path);
    this.#addToolMessage(open, event, result);
  }

  /** Adds one for every call that came back, also without words: it shows where the call belongs. */
  #addToolMessage(open: OpenCall, { id, at }: ToolResultEvent, result: string | null): void {
    if (open.isAnswered || this.#isFull) return;
    open.isAnswered = true;
    this.messages.push(makeMessage({ role: "tool", content: result ?? "", at, parent: id }));
  }

  get #isFull(): boolean {
    return this.messages.length + this.#calls.size >= MAX_ENTRIES;
  }

  #takeRoom(length: number): boolean {
    const hasRoom = !this.#isFull && this.#textLength + length <= MAX_TEXT_LENGTH;
    if (hasRoom) this.#textLength += length;
    else this.leftOut += 1;
    return hasRoom;
  }
}

/** Makes messages frozen and in four fixed shapes: logs have tens of thousands of them. */
function makeMessage({ role, content, at, parent }: MessageInput): LogMessage {
  if (at === null)
    return Object.freeze(parent === null ? { role, content } : { role, content, parent });
  const timestamp = at;
  if (parent === null) return Object.freeze({ role, content, timestamp });
  return Object.freeze({ role, content, timestamp, parent });
}

function completeCall(open: OpenCall, event: ToolResultEvent, result: string | null): LogToolCall {
  const duration = event.durationMs ?? durationBetween(open.startedAt, event.at);
  return {
    ...open.call,
    ...(result === null ? {} : { result }),
    ...(event.isError === null ? {} : { is_error: event.isError }),
    ...(open.startedAt === null ? {} : { started_at: open.startedAt }),
    ...(duration === null ? {} : { duration_ms: duration }),
    ...(event.permission === null ? {} : { permission: event.permission }),
  };
}

/** The length of `2026-11-15T20:07:`. */
const MINUTE_LENGTH = 17;

function durationBetween(start: string | null, end: string | null): number | null {
  if (start === null || end === null) return null;
  // Within one minute, which most are, the seconds alone tell it; reading two dates costs far more.
  const isSameMinute = end.startsWith(start.slice(0, MINUTE_LENGTH));
  const duration = isSameMinute
    ? Math.round(
        (Number(end.slice(MINUTE_LENGTH, -1)) - Number(start.slice(MINUTE_LENGTH, -1))) * 1000,
      )
    : Date.parse(end) - Date.parse(start);
  return duration >= 0 ? duration : null;
}

/** How much text a JSON value holds, about. */
function textLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let length = 8;
  if (Array.isArray(value)) for (const part of value) length += textLength(part);
  const record = asRecord(value);
  for (const key in record) length += key.length + textLength(record[key]);
  return length;
}

const PATH_KEYS = [
  "file_path",
  "filePath",
  "path",
  "absolute_path",
  "notebook_path",
  "filename",
  "fileName",
];

/** The files that a writing or editing call names as changed. */
function changedPaths({ kind, arguments: given }: LogToolCall): string[] {
  if (kind !== "write" && kind !== "edit") return [];
  const args = asRecord(given);
  const listed = asList(args.changes).flatMap((change) => asName(asRecord(change).path) ?? []);
  if (listed.length > 0) return listed;
  const named = PATH_KEYS.map((key) => asName(args[key])).find((path) => path !== null);
  return named === undefined || named === null ? pathsOfPatch(given, args) : [named];
}

const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

function pathsOfPatch(given: unknown, args: Readonly<Record<string, unknown>>): string[] {
  const patch = asName(given) ?? asName(args.patch) ?? asName(args.patchText) ?? asName(args.input);
  if (patch === null) return [];
  return [...patch.matchAll(PATCHED)].map((match) => match[1]?.trim() ?? "");
}

// Messages and tool calls are two lists in the log; a reader wants one. Messages are in the order in
// which they came, and a tool's answer among them shows where its call belongs.

export interface CallEntry {
  readonly kind: "call";
  readonly call: LogToolCall;
  /** What was said inside the call: a sub-agent's words. */
  readonly inside: readonly LogMessage[];
}

interface MessageEntry {
  readonly kind: "message";
  readonly message: LogMessage;
}

export type LogEntry = CallEntry | MessageEntry;

interface OpenEntry extends CallEntry {
  readonly inside: LogMessage[];
}

export function orderEntries({ messages, tool_calls, execution }: RunLog): readonly LogEntry[] {
  const calls: readonly OpenEntry[] = tool_calls.map((call) => ({
    kind: "call",
    call,
    inside: [],
  }));
  const indexOf = new Map(calls.map(({ call: { id } }, index) => [id, index]));
  const answered = new Set(messages.map(({ parent }) => parent));
  const entries: LogEntry[] = [];
  let placed = 0;

  // Calls keep their own order: what was called earlier stands earlier.
  const takeThrough = (index: number): void => {
    for (const entry of calls.slice(placed, index + 1)) entries.push(entry);
    placed = Math.max(placed, index + 1);
  };
  const placeStartedBefore = (timestamp: string | undefined): void => {
    while (isStartedUnanswered(calls[placed]?.call, answered, timestamp)) takeThrough(placed);
  };

  for (const message of messages) {
    const index = message.parent === undefined ? undefined : indexOf.get(message.parent);
    if (index === undefined) {
      placeStartedBefore(message.timestamp);
      entries.push({ kind: "message", message });
    } else {
      takeThrough(index);
      calls[index]?.inside.push(...wordsInside(calls[index].call, message));
    }
  }
  const rest = calls.slice(placed);
  // A run that succeeded ends with its answer; one that was cut may end in the middle of a call.
  const end = execution.status === "success" ? placeOfAnswer(entries) : entries.length;
  return [...entries.slice(0, end), ...rest, ...entries.slice(end)];
}

/** A call that no message answers is placed by the clock, as far as the log has one. */
function isStartedUnanswered(
  call: LogToolCall | undefined,
  answered: ReadonlySet<string | undefined>,
  timestamp: string | undefined,
): boolean {
  if (call?.started_at === undefined || timestamp === undefined) return false;
  return !answered.has(call.id) && Date.parse(call.started_at) <= Date.parse(timestamp);
}

/** The message that repeats a call's result is the result, not something said inside. */
const wordsInside = ({ result }: LogToolCall, message: LogMessage): readonly LogMessage[] =>
  message.role === "tool" && message.content === result ? [] : [message];

function placeOfAnswer(entries: readonly LogEntry[]): number {
  const last = entries.at(-1);
  const isAnswer = last?.kind === "message" && last.message.role === "assistant";
  return isAnswer ? entries.length - 1 : entries.length;
}
