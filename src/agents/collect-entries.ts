import { ARGUMENT_LIMIT, capText, capValue, MESSAGE_LIMIT, RESULT_LIMIT } from "./cap-text.ts";
import { changedPaths } from "./changed-paths.ts";
import { asRecord } from "./json-fields.ts";
import type { ToolCallEvent, ToolResultEvent } from "./log-event.ts";
import type { LogMessage, ToolCall } from "./run-log.ts";
import { stripAnsi } from "./strip-ansi.ts";
import { kindOfTool } from "./tool-kind.ts";

/** Characters of text and entries kept in one log; what comes later is only counted. */
const TEXT_BUDGET = 10 * 1024 * 1024;
const ENTRY_BUDGET = 50_000;

interface Words {
  readonly role: LogMessage["role"];
  readonly content: string;
  readonly at: string | null;
  readonly parent: string | null;
}

interface OpenCall {
  call: ToolCall;
  startedAt: string | null;
  isAnswered: boolean;
}

/** The messages and tool calls of a run, within a budget however long the run is. */
export class EntryLedger {
  readonly messages: LogMessage[] = [];
  readonly changedPaths = new Set<string>();
  leftOut = 0;
  readonly #calls = new Map<string, OpenCall>();
  #textLength = 0;

  get toolCalls(): ToolCall[] {
    return [...this.#calls.values()].map(({ call }) => call);
  }

  addMessage({ role, content, at, parent }: Words): void {
    // What has no room is not even looked at: most of a very long run passes here.
    const text = this.#isFull ? content : capText(stripAnsi(content), MESSAGE_LIMIT);
    if (text.trim() === "" || !this.#takeRoom(text.length)) return;
    this.messages.push(makeMessage({ role, content: text, at, parent }));
  }

  /** Adds the answer that an agent repeats at its end, unless it is already there. */
  addAnswer(content: string, at: string | null): void {
    const last = this.messages.findLast(
      ({ role, parent }) => role === "assistant" && parent === undefined,
    );
    if (last?.content !== capText(stripAnsi(content), MESSAGE_LIMIT))
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
    const args = length > ARGUMENT_LIMIT ? capValue(given, ARGUMENT_LIMIT) : given;
    if (!this.#takeRoom(args === given ? length : textLength(args))) return;
    const started = at === null ? {} : { started_at: at };
    const call = { id, name, kind: kindOfTool(name), arguments: args, ...started };
    this.#calls.set(id, { call, startedAt: at, isAnswered: false });
  }

  addResult(event: ToolResultEvent): void {
    const open = this.#calls.get(event.id);
    if (open === undefined) return;
    const clean = event.result === null ? null : capText(stripAnsi(event.result), RESULT_LIMIT);
    const result = clean !== null && this.#takeRoom(clean.length) ? clean : null;
    open.call = completeCall(open, event, result);
    if (open.call.is_error !== true && open.call.permission !== "denied")
      for (const path of changedPaths(open.call)) this.changedPaths.add(path);
    this.#addToolMessage(open, event, result);
  }

  /** One for every call that came back, also without words: it is the call's place in the run. */
  #addToolMessage(open: OpenCall, { id, at }: ToolResultEvent, result: string | null): void {
    if (open.isAnswered || this.#isFull) return;
    open.isAnswered = true;
    this.messages.push(makeMessage({ role: "tool", content: result ?? "", at, parent: id }));
  }

  get #isFull(): boolean {
    return this.messages.length + this.#calls.size >= ENTRY_BUDGET;
  }

  #takeRoom(length: number): boolean {
    const hasRoom = !this.#isFull && this.#textLength + length <= TEXT_BUDGET;
    if (hasRoom) this.#textLength += length;
    else this.leftOut += 1;
    return hasRoom;
  }
}

/** Frozen at once and in four fixed shapes: logs have tens of thousands of them. */
function makeMessage({ role, content, at, parent }: Words): LogMessage {
  if (at === null)
    return Object.freeze(parent === null ? { role, content } : { role, content, parent });
  const timestamp = at;
  if (parent === null) return Object.freeze({ role, content, timestamp });
  return Object.freeze({ role, content, timestamp, parent });
}

function completeCall(open: OpenCall, event: ToolResultEvent, result: string | null): ToolCall {
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

/** Length of `2026-11-15T20:07:`. */
const MINUTE = 17;

function durationBetween(start: string | null, end: string | null): number | null {
  if (start === null || end === null) return null;
  // Within one minute, which most are, the seconds alone tell it; reading two dates costs far more.
  const isSameMinute = end.startsWith(start.slice(0, MINUTE));
  const duration = isSameMinute
    ? Math.round((Number(end.slice(MINUTE, -1)) - Number(start.slice(MINUTE, -1))) * 1000)
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
