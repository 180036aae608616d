// The few messages of the Agent Client Protocol, version 1, that a headless client needs.
import { VERSION } from "../../version.ts";
import type { SettingRequest } from "./session-lists.ts";

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
export const initialize = (fs: OfferedFiles): RpcMessage =>
  request(REQUEST.initialize, "initialize", {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs, terminal: false },
    clientInfo: { name: "adjutant", version: VERSION },
  });

export const openSession = (cwd: string, resume: string | null): RpcMessage =>
  resume === null
    ? request(REQUEST.open, "session/new", { cwd, mcpServers: [] })
    : request(REQUEST.open, "session/load", { sessionId: resume, cwd, mcpServers: [] });

export const promptSession = (sessionId: string, text: string): RpcMessage =>
  request(REQUEST.prompt, "session/prompt", { sessionId, prompt: [{ type: "text", text }] });

/** They are sent one after the other, so that one number does for all. */
export const changeSetting = ({ method, params }: SettingRequest): RpcMessage =>
  request(REQUEST.setting, method, params);

export const cancelSession = (sessionId: string): RpcMessage => ({
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
