// The few messages of the Agent Client Protocol, version 1, that a headless client needs, and the queue in
// which they wait for the agent.
import { VERSION } from "../../../core/command/version.ts";
import { classifyFailure, type ErrorReason } from "../../log/error-reasons.ts";
import { asName, asRecord, type JsonRecord } from "../../log/json-fields.ts";

export type MessageId = number | string;

export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: MessageId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: RpcError;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
}

export const PROTOCOL_VERSION = 1;

/** The protocol's own numbers. */
export const ERROR_CODE = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notFound: -32002,
} as const;

/** A request that has no number yet. */
export interface RpcCall {
  readonly method: string;
  readonly params: object;
}

export const numberCall = (id: MessageId, { method, params }: RpcCall): RpcMessage => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

export interface OfferedFiles {
  readonly readTextFile: boolean;
  readonly writeTextFile: boolean;
}

/** Without terminals of ours: the agent runs its commands by itself. */
export const callInitialize = (fs: OfferedFiles): RpcCall => ({
  method: "initialize",
  params: {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs, terminal: false },
    clientInfo: { name: "adjutant", version: VERSION },
  },
});

export const callNewSession = (cwd: string): RpcCall => ({
  method: "session/new",
  params: { cwd, mcpServers: [] },
});

/** `load` repeats first what was said in the session, `resume` does not; not every agent has it. */
export const callOldSession = (
  sessionId: string,
  { cwd, way }: { readonly cwd: string; readonly way: "load" | "resume" },
): RpcCall => ({ method: `session/${way}`, params: { sessionId, cwd, mcpServers: [] } });

export const callPrompt = (sessionId: string, text: string): RpcCall => ({
  method: "session/prompt",
  params: { sessionId, prompt: [{ type: "text", text }] },
});

export const notifyCancel = (sessionId: string): RpcMessage => ({
  jsonrpc: "2.0",
  method: "session/cancel",
  params: { sessionId },
});

export const answerPermission = (id: MessageId, optionId: string | null): RpcMessage => ({
  jsonrpc: "2.0",
  id,
  result: {
    outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  },
});

export const refuseRequest = (id: MessageId, method: string): RpcMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: ERROR_CODE.methodNotFound, message: `${method} is not offered` },
});

export interface Failure {
  readonly reason: ErrorReason;
  readonly message: string;
}

/** What an agent says that it has against a request. */
export function describeRpcError(error: JsonRecord): Failure {
  const details = asName(asRecord(error.data).details);
  const message = [asName(error.message), details].filter((part) => part !== null).join(": ");
  const status = typeof error.code === "number" && error.code > 0 ? error.code : null;
  const reason = classifyFailure({ status, text: readStatus(message) });
  return { reason, message: message || "the agent failed" };
}

/** `401 no such key` begins with the status, without saying that it is one. */
const readStatus = (message: string): string => message.replace(/(^|: )(\d{3}) /, "$1status $2 ");

/** An agent that asks on and on without reading the answers is held back from here on. */
const MAX_WAITING_LENGTH = 4 * 1024 * 1024;

/** What is to be sent, in order, to whoever reads it; closing it ends the reading. */
export class Outbox {
  #waiting: string[] = [];
  #length = 0;
  #isClosed = false;
  #wake: (() => void) | null = null;
  #room = Promise.withResolvers<void>();

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(message: RpcMessage): void {
    if (this.#isClosed) return;
    const text = `${JSON.stringify(message)}\n`;
    this.#waiting.push(text);
    this.#length += text.length;
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
    this.#room.resolve();
  }

  /** Settles when there is room again, or no more to be sent. */
  async whenRoomy(): Promise<void> {
    if (this.#length > MAX_WAITING_LENGTH && !this.#isClosed) await this.#room.promise;
  }

  async *texts(): AsyncGenerator<string> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield this.#release(next);
      else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #release(text: string): string {
    this.#length -= text.length;
    if (this.#length <= MAX_WAITING_LENGTH) {
      this.#room.resolve();
      this.#room = Promise.withResolvers();
    }
    return text;
  }
}
