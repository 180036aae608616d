// One end of JSON-RPC with one message a line: what is to be written, in order, and who waits for which answer. It
// knows no method and does no I/O.
import { isRecord, type JsonRecord, parseJson } from "../../core/project/json-value.ts";
import { asText } from "../log/json-fields.ts";
import { MessageQueue } from "./message-queue.ts";

export type RpcId = number | string;

/** How a request of ours ended. */
export type RpcReply =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly message: string }
  /** The other end is gone. */
  | { readonly kind: "closed" };

interface RpcHandlers {
  /** It is answered by `answer` or `refuse`, now or later. */
  readonly onRequest: (id: RpcId, method: string, params: unknown) => void;
  readonly onNotification: (method: string, params: unknown) => void;
}

const METHOD_NOT_FOUND = -32601;
const INVALID_REQUEST = -32600;
const PARSE_ERROR = -32700;

export class JsonRpcPeer {
  readonly #handlers: RpcHandlers;
  readonly #pending = new Map<RpcId, (reply: RpcReply) => void>();
  readonly #queue = new MessageQueue();
  #lastId = 0;

  constructor(handlers: RpcHandlers) {
    this.#handlers = handlers;
  }

  /**
   * Settles with the answer; it never rejects. Whoever must know it before the next message is read, which may have come
   * together with it, takes it by `onResult`.
   */
  request(method: string, params: object, onResult?: (result: unknown) => void): Promise<RpcReply> {
    if (this.#queue.isClosed) return Promise.resolve({ kind: "closed" });
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<RpcReply>();
    this.#pending.set(id, (reply) => {
      if (reply.kind === "result") onResult?.(reply.result);
      resolve(reply);
    });
    this.#send({ id, method, params });
    return promise;
  }

  notify(method: string, params?: object): void {
    this.#send({ method, ...(params === undefined ? {} : { params }) });
  }

  answer(id: RpcId, result: object): void {
    this.#send({ id, result });
  }

  /** For what is not offered. */
  refuse(id: RpcId, method: string): void {
    this.#send({ id, error: { code: METHOD_NOT_FOUND, message: `${method} is not offered` } });
  }

  /** For what is offered and did not go well. */
  fail(id: RpcId, code: number, message: string): void {
    this.#send({ id, error: { code, message } });
  }

  /** For what was no message: it has no id, and the next line is read as ever. */
  refuseLine(problem: string, code = INVALID_REQUEST): void {
    this.#send({ id: null, error: { code, message: `a line was not read: ${problem}` } });
  }

  /** Takes a line of an end that must hear of what is no message. */
  readLine(line: string): void {
    if (line.trim() === "") return;
    const value = parseJson(line);
    if (value === undefined) this.refuseLine("it is no JSON", PARSE_ERROR);
    else if (isMessage(value)) this.read(value);
    else this.refuseLine("it is no request, notification or answer");
  }

  /** Takes a message of the other end; an answer that nobody waits for is left. */
  read(message: JsonRecord): void {
    const { method, params, error } = message;
    const id = readId(message.id);
    if (typeof method === "string") {
      if (id === null) this.#handlers.onNotification(method, params);
      else this.#handlers.onRequest(id, method, params);
      return;
    }
    if (id === null) return;
    const settle = this.#pending.get(id);
    this.#pending.delete(id);
    settle?.(
      isRecord(error)
        ? { kind: "error", message: asText(error.message) ?? "no reason was given" }
        : { kind: "result", result: message.result },
    );
  }

  /** No more is written, and whoever waits is told so. */
  close(): void {
    this.#queue.close();
    for (const settle of this.#pending.values()) settle({ kind: "closed" });
    this.#pending.clear();
  }

  /** Settles when there is room again, or no more to be written. */
  whenRoomy(): Promise<void> {
    return this.#queue.whenRoomy();
  }

  /** The lines for the other end, until it is closed. */
  lines(): AsyncGenerator<string> {
    return this.#queue.lines();
  }

  #send(message: object): void {
    this.#queue.push({ jsonrpc: "2.0", ...message });
  }
}

const readId = (id: unknown): RpcId | null =>
  typeof id === "number" || typeof id === "string" ? id : null;

/** An id is a text or a number; null stands for none. */
function isMessage(value: unknown): value is JsonRecord {
  if (!isRecord(value)) return false;
  const { id = null, method, result, error } = value;
  if (id !== null && readId(id) === null) return false;
  return method === undefined ? (result ?? error) !== undefined : typeof method === "string";
}
