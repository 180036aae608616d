// The few messages of the Agent Client Protocol, version 1, that a headless client needs.
import { VERSION } from "../../version.ts";

export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Each request is made once, so that its number is also its name. */
export const REQUEST = { initialize: 1, open: 2, prompt: 3 } as const;

const METHOD_NOT_FOUND = -32601;

const request = (id: number, method: string, params: object): RpcMessage => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** Without files and terminals of ours: the agent works in the workspace by itself. */
export const initialize = (): RpcMessage =>
  request(REQUEST.initialize, "initialize", {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "adjutant", version: VERSION },
  });

export const openSession = (cwd: string, resume: string | null): RpcMessage =>
  resume === null
    ? request(REQUEST.open, "session/new", { cwd, mcpServers: [] })
    : request(REQUEST.open, "session/load", { sessionId: resume, cwd, mcpServers: [] });

export const promptSession = (sessionId: string, text: string): RpcMessage =>
  request(REQUEST.prompt, "session/prompt", { sessionId, prompt: [{ type: "text", text }] });

export const answerPermission = (id: number | string, optionId: string | null): RpcMessage => ({
  jsonrpc: "2.0",
  id,
  result: {
    outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  },
});

export const refuseRequest = (id: number | string, method: string): RpcMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: METHOD_NOT_FOUND, message: `${method} is not offered` },
});
