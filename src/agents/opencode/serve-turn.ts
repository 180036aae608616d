// One turn as the event stream of `opencode serve` tells it, measured on 1.18.33. What its parts say in the end is what
// `run --format json` prints, and is read by the same dialect; what is told while they grow is added.

import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { classifyFailure } from "../log/error-reasons.ts";
import {
  answerDelta,
  assistantMessage,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
} from "../log/event.ts";
import { asCount, asName, asText } from "../log/json-fields.ts";
import { MAX_MESSAGE_LENGTH } from "../log/text.ts";
import type { ToolAnswer } from "../run/conversation.ts";
import { OpencodeDialect } from "./parse.ts";

/** A call as the model made it. */
interface ServeCall {
  readonly tool: string;
  readonly args: JsonRecord;
}

/** A part that is over, by the word that `run` has for it. */
const ENDED_PARTS: Readonly<Record<string, string>> = {
  "step-start": "step_start",
  "step-finish": "step_finish",
  text: "text",
  reasoning: "reasoning",
  tool: "tool_use",
};

export class ServeTurn {
  readonly #sessionId: string;
  readonly #earlier: ReadonlySet<string>;
  readonly #dialect = new OpencodeDialect();
  readonly #messages = new Set<string>();
  /** The messages of them that are the agent's own. */
  readonly #answering = new Set<string>();
  /** What is known of each part; one that is over is `ended`. */
  readonly #parts = new Map<string, string>();
  /** The words of a part that still grows. */
  readonly #unfinished = new Map<string, string>();
  readonly #streamed = new Set<string>();
  readonly #calls = new Map<string, ServeCall>();
  readonly #answers = new Map<string, ToolAnswer["kind"]>();
  #hasBegun = false;
  #hasEnded = false;
  #hasError = false;
  #earlyError: string | null = null;

  /** Of messages of an earlier turn something may still be told. */
  constructor(sessionId: string, earlier: ReadonlySet<string>) {
    this.#sessionId = sessionId;
    this.#earlier = earlier;
  }

  /** The ids of all messages of this turn. */
  get messages(): ReadonlySet<string> {
    return this.#messages;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** A failure that came before the turn began; it may be one of the turn before. */
  get earlyError(): string | null {
    return this.#hasBegun ? null : this.#earlyError;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** What a question is about, of a sub-agent too; undefined where nothing was told of the call. */
  findCall(callId: string | null): ServeCall | undefined {
    return this.#calls.get(callId ?? "");
  }

  noteAnswer(callId: string, answer: ToolAnswer["kind"]): void {
    this.#answers.set(callId, answer);
  }

  /** One event of the server. */
  read({ type, properties: given }: JsonRecord): readonly LogEvent[] {
    const properties = asRecord(given);
    const part = asRecord(properties.part);
    if (part.type === "tool") this.#noteCall(part);
    const sessionId = asName(properties.sessionID) ?? asName(part.sessionID);
    if (sessionId !== this.#sessionId || this.#hasEnded) return NO_EVENTS;
    switch (type) {
      case "message.updated":
        return this.#readMessage(asRecord(properties.info));
      case "message.part.updated":
        return this.#readPart(part);
      case "message.part.delta":
        return this.#readDelta(properties);
      case "session.status":
        return readStatus(asRecord(properties.status));
      case "session.error":
        return this.#readError(asRecord(properties.error));
      case "session.idle":
        return this.#hasBegun ? this.end() : NO_EVENTS;
      default:
        return NO_EVENTS;
    }
  }

  /** The final word, exactly once. */
  end(): readonly LogEvent[] {
    if (this.#hasEnded) return NO_EVENTS;
    const cut = this.cut();
    const last = this.#dialect.finish();
    return [...cut, ...(last.length > 0 ? last : [finalEvent({ isSuccess: false })])];
  }

  /** Ends it without a final word: what had been said by then is an answer too. */
  cut(): readonly LogEvent[] {
    this.#hasEnded = true;
    const texts = [...this.#unfinished.values()];
    this.#unfinished.clear();
    return texts.map((text) => ({ ...assistantMessage(text), isStreamed: true }));
  }

  /** A failure that the server did not tell by its stream. */
  fail(message: string): readonly LogEvent[] {
    this.#hasBegun = true;
    return [...this.#readError({ data: { message } }), ...this.end()];
  }

  #noteCall(part: JsonRecord): void {
    const { status, input } = asRecord(part.state);
    const [id, tool] = [asName(part.callID), asName(part.tool)];
    if (id !== null && tool !== null && status !== "pending")
      this.#calls.set(id, { tool, args: asRecord(input) });
  }

  /** The prompt is a message too, and the first that is new: until then all that comes is of the turn before. */
  #readMessage(info: JsonRecord): readonly LogEvent[] {
    const id = asName(info.id);
    if (id === null || this.#earlier.has(id) || this.#messages.has(id)) return NO_EVENTS;
    this.#messages.add(id);
    this.#hasBegun = true;
    // A summary that makes room is not said to the person.
    if (info.role !== "assistant" || info.summary === true) return NO_EVENTS;
    this.#answering.add(id);
    const [provider, name] = [asName(info.providerID), asName(info.modelID)];
    const model = provider === null || name === null ? null : `${provider}/${name}`;
    if (this.#answering.size > 1) return NO_EVENTS;
    return [initEvent({ sessionId: this.#sessionId, provider, model })];
  }

  #readPart(part: JsonRecord): readonly LogEvent[] {
    const [id, type] = [asName(part.id), asName(part.type)];
    if (id === null || type === null || !this.#answering.has(asName(part.messageID) ?? ""))
      return NO_EVENTS;
    const word = Object.hasOwn(ENDED_PARTS, type) ? ENDED_PARTS[type] : undefined;
    if (word === undefined || this.#parts.get(id) === "ended") return NO_EVENTS;
    this.#parts.set(id, isOver(part) ? "ended" : type);
    if (!isOver(part)) return type === "tool" ? this.#startCall(id, part) : NO_EVENTS;
    this.#unfinished.delete(id);
    const events = this.#dialect.readRecord({ type: word, sessionID: this.#sessionId, part });
    return events.flatMap((event) => this.#complete(event, id));
  }

  #startCall(partId: string, part: JsonRecord): readonly LogEvent[] {
    const callId = asName(part.callID);
    const call = this.findCall(callId);
    if (callId === null || call === undefined || this.#streamed.has(partId)) return NO_EVENTS;
    this.#streamed.add(partId);
    return [{ kind: "tool_call", id: callId, name: call.tool, arguments: call.args, at: null }];
  }

  /** What has been handed on while it grew is not handed on again. */
  #complete(event: LogEvent, partId: string): readonly LogEvent[] {
    const isStreamed = this.#streamed.has(partId);
    if (event.kind === "message") return [{ ...event, isStreamed }];
    if (isStreamed && (event.kind === "delta" || event.kind === "tool_call")) return NO_EVENTS;
    if (event.kind !== "tool_result") return [event];
    const answer = this.#answers.get(event.id);
    return [answer === undefined ? event : { ...event, permission: PERMISSIONS[answer] }];
  }

  #readDelta({ partID, field, delta }: JsonRecord): readonly LogEvent[] {
    const id = asName(partID) ?? "";
    const type = this.#parts.get(id);
    const text = asText(delta);
    if (field !== "text" || text === null || (type !== "text" && type !== "reasoning"))
      return NO_EVENTS;
    this.#streamed.add(id);
    if (type === "reasoning") return [{ ...answerDelta(text), channel: "thinking" }];
    const known = this.#unfinished.get(id) ?? "";
    // A little over the limit is enough to show later that something was left out.
    if (known.length <= MAX_MESSAGE_LENGTH) this.#unfinished.set(id, known + text);
    return [answerDelta(text)];
  }

  /** It tells of most failures twice, the second time with its own call stack. */
  #readError(error: JsonRecord): readonly LogEvent[] {
    if (this.#hasError || error.name === "MessageAbortedError") return NO_EVENTS;
    if (!this.#hasBegun) {
      this.#earlyError = asName(asRecord(error.data).message) ?? "the server failed";
      return NO_EVENTS;
    }
    this.#hasError = true;
    return this.#dialect.readRecord({ type: "error", sessionID: this.#sessionId, error });
  }
}

const PERMISSIONS = { allow: "allowed", deny: "denied" } as const;

function isOver(part: JsonRecord): boolean {
  const { status } = asRecord(part.state);
  if (part.type === "tool") return status === "completed" || status === "error";
  if (part.type !== "text" && part.type !== "reasoning") return true;
  return asRecord(part.time).end !== undefined;
}

function readStatus({ type, attempt, message }: JsonRecord): readonly LogEvent[] {
  if (type !== "retry") return NO_EVENTS;
  const text = asName(message) ?? "the model is asked again";
  const reason = classifyFailure({ text });
  return [{ kind: "retry", reason, message: text, attempt: asCount(attempt), at: null }];
}
