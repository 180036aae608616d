// The few messages of the Agent Client Protocol, version 1, that a headless client needs, and the queue in
// which they wait for the agent.
import { VERSION } from "../../core/command/version.ts";
import type { SettingRequest } from "./session-settings.ts";

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

/** Each is answered before the next is made, so that its number is also its name. */
export const REQUEST = { initialize: 1, open: 2, prompt: 3, setting: 4 } as const;

/** The protocol's own numbers. */
export const ERROR_CODE = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notFound: -32002,
} as const;

const request = (id: number, method: string, params: object): RpcMessage => ({
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
export const requestInitialize = (fs: OfferedFiles): RpcMessage =>
  request(REQUEST.initialize, "initialize", {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs, terminal: false },
    clientInfo: { name: "adjutant", version: VERSION },
  });

export const requestSession = (cwd: string, resume: string | null): RpcMessage =>
  resume === null
    ? request(REQUEST.open, "session/new", { cwd, mcpServers: [] })
    : request(REQUEST.open, "session/load", { sessionId: resume, cwd, mcpServers: [] });

export const requestPrompt = (sessionId: string, text: string): RpcMessage =>
  request(REQUEST.prompt, "session/prompt", { sessionId, prompt: [{ type: "text", text }] });

/** They are sent one after the other, so that one number does for all. */
export const requestSetting = ({ method, params }: SettingRequest): RpcMessage =>
  request(REQUEST.setting, method, params);

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
