// A process that speaks the protocol and stays: requests go in and are answered, until it ends.
import type { ProcessEnding } from "../../../core/process/command-spec.ts";
import { asRecord, isRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import { joinExactValues, secretValues } from "../../../core/secrets/mask.ts";
import type { ErrorReason } from "../../log/error-reasons.ts";
import type { LogEvent } from "../../log/event.ts";
import { asName } from "../../log/json-fields.ts";
import { stripAnsi } from "../../log/text.ts";
import type { AgentRunPlan } from "../../run/adapter.ts";
import { readRawOptions, runStayingProcess } from "../../run/execute.ts";
import { parseObject, TailBytes, TextLines } from "../../run/output/lines.ts";
import { PlainLines } from "../../run/output/plain.ts";
import { MessageQueue } from "../message-queue.ts";
import {
  describeRpcError,
  type Failure,
  type MessageId,
  numberCall,
  type RpcCall,
} from "./messages.ts";

/** So long an agent may take to leave once its stdin is closed; some never do. */
const LEAVE_MS = 2_000;
/** A longer line is no message, and is not held. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;
const MAX_STDERR_BYTES = 16 * 1024;

type RpcAnswer =
  | { readonly kind: "result"; readonly result: JsonRecord }
  | { readonly kind: "error"; readonly error: Failure }
  /** The process has ended. */
  | { readonly kind: "gone" };

const GONE: RpcAnswer = { kind: "gone" };

interface AcpListener {
  onUpdate(update: JsonRecord): void;
  onRequest(id: MessageId, method: string, params: JsonRecord): void;
  /** A line that is no message. */
  onNoise(events: readonly LogEvent[]): void;
  /** Waited for after each piece of output, before the next one is taken. */
  hold(): Promise<void>;
}

export class AcpConnection {
  readonly outbox = new MessageQueue();
  readonly #listener: AcpListener;
  readonly #end = new AbortController();
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<MessageId, (answer: RpcAnswer) => void>();
  readonly #stderr = new TailBytes(MAX_STDERR_BYTES);
  readonly #noise = new PlainLines("structured");
  readonly #lines = new TextLines({
    limit: MAX_LINE_LENGTH,
    onLine: (line) => this.#readLine(line),
    onTooLong: () =>
      this.end(`the agent printed a line of more than ${MAX_LINE_LENGTH} characters`),
  });
  #requests = 0;
  #problem: string | null = null;
  #isOver = false;

  constructor(plan: AgentRunPlan, listener: AcpListener) {
    this.#listener = listener;
    this.#ended = this.#run(plan).catch((error: unknown) => {
      this.#lose(`the agent could not be run: ${error instanceof Error ? error.message : error}`);
    });
  }

  /** From the moment it is being ended on: what it still says in that time makes it of no more use. */
  get isOver(): boolean {
    return this.#isOver || this.#end.signal.aborted;
  }

  /** Why the process is gone, in one sentence. */
  get problem(): string {
    return this.#problem ?? "the agent's process has ended";
  }

  request(call: RpcCall): Promise<RpcAnswer> {
    if (this.#isOver) return Promise.resolve(GONE);
    const id = ++this.#requests;
    this.outbox.push(numberCall(id, call));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** Ends the process and all that it started. The first reason counts. */
  end(problem: string): void {
    this.#problem ??= problem;
    this.#end.abort();
  }

  /** Lets it leave by itself for a while, then ends it. */
  async close(): Promise<void> {
    this.#problem ??= "the conversation was closed";
    this.outbox.close();
    const timer = setTimeout(() => this.#end.abort(), LEAVE_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  async #run(plan: AgentRunPlan): Promise<void> {
    const { context, command } = plan;
    const secrets = joinExactValues(secretValues(command.env), context.secrets ?? []);
    const ended = await runStayingProcess(plan, {
      reader: {
        readStdout: (bytes) => this.#lines.push(bytes),
        readStderr: (bytes) => this.#stderr.push(bytes),
        noteError: (reason, message) => this.#noteError(reason, message),
      },
      stdin: this.outbox.lines(),
      signal: this.#end.signal,
      raw: readRawOptions({ secrets }),
      hold: () => this.#listener.hold(),
    });
    this.#lose(describeLoss(ended, stripAnsi(this.#stderr.text())));
  }

  /** That more was printed than is kept says nothing of a process that stays for hours. */
  #noteError(reason: ErrorReason, message: string): void {
    if (reason !== "OUTPUT_TRUNCATED") this.#problem ??= message;
  }

  #lose(problem: string): void {
    this.#problem ??= problem;
    this.#isOver = true;
    this.outbox.close();
    for (const settle of this.#waiting.values()) settle(GONE);
    this.#waiting.clear();
  }

  #readLine(line: string): void {
    const message = parseObject(line.trim());
    if (message === null) this.#listener.onNoise(this.#noise.read(line));
    else this.#readMessage(message);
  }

  #readMessage(message: JsonRecord): void {
    const method = asName(message.method);
    const id = typeof message.id === "string" || typeof message.id === "number" ? message.id : null;
    const params = asRecord(message.params);
    if (method === "session/update") this.#listener.onUpdate(asRecord(params.update));
    else if (method !== null && id !== null) this.#listener.onRequest(id, method, params);
    else if (id !== null) this.#settle(id, message);
  }

  #settle(id: MessageId, message: JsonRecord): void {
    const settle = this.#waiting.get(id);
    this.#waiting.delete(id);
    settle?.(
      isRecord(message.error)
        ? { kind: "error", error: describeRpcError(message.error) }
        : { kind: "result", result: asRecord(message.result) },
    );
  }
}

const MAX_TAIL_LENGTH = 400;

function describeLoss(ended: ProcessEnding, stderr: string): string {
  if (ended.kind === "not_started") return `the agent could not be started: ${ended.problem}`;
  const how =
    ended.kind === "exited"
      ? `the agent exited with ${ended.exitCode}`
      : `the agent was ended by ${ended.signal ?? "a signal"}`;
  const tail = stderr.trim().slice(-MAX_TAIL_LENGTH).split("\n").join(" ");
  return tail === "" ? how : `${how}: ${tail}`;
}
