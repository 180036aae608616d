// The few messages of the Agent Client Protocol, version 1, that a headless client needs.
import { VERSION } from "../../../core/command/version.ts";
import { asRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import { classifyFailure, type ErrorReason } from "../../log/error-reasons.ts";
import { asName } from "../../log/json-fields.ts";

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
