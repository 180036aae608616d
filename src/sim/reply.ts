// What an address asks for, and what goes back over the socket: decided before anything is sent.

import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { waitUnlessAborted } from "../core/command/cancellation.ts";
import { anthropicWire } from "./anthropic.ts";
import { geminiWire } from "./gemini.ts";
import { chatWire } from "./openai-chat.ts";
import { responsesWire } from "./openai-responses.ts";
import type { ScriptedFault } from "./scenario.ts";
import {
  formatFrame,
  type ModelAnswer,
  type ModelRequest,
  type Wire,
  type WireFailure,
} from "./wire.ts";

/** What an address asks for. */
type Endpoint =
  | {
      readonly kind: "generate" | "count_tokens";
      readonly wire: Wire;
      readonly pathModel: string | null;
      readonly pathStreams: boolean;
      /** Gemini streams a JSON array unless events are asked for. */
      readonly usesEvents: boolean;
    }
  | { readonly kind: "models"; readonly wire: Wire }
  | { readonly kind: "probe" }
  | { readonly kind: "unknown" };

const GEMINI_MODEL =
  /^\/v1(?:beta|alpha)?\/(?:models|tunedModels)\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

export function findEndpoint(method: string, url: URL, headers: IncomingHttpHeaders): Endpoint {
  const path = url.pathname.replace(/\/{2,}/g, "/");
  if (path === "/" && method !== "POST") return { kind: "probe" };
  if (method === "GET" && /\/models(\/[^/]+)?$/.test(path))
    return { kind: "models", wire: findModelsWire(path, headers) };
  if (method !== "POST") return { kind: "unknown" };
  return findGemini(path, url) ?? findByEnding(path);
}

function findModelsWire(path: string, headers: IncomingHttpHeaders): Wire {
  if (path.startsWith("/v1beta/") || headers["x-goog-api-key"] !== undefined) return geminiWire;
  return headers["anthropic-version"] === undefined ? chatWire : anthropicWire;
}

function findGemini(path: string, url: URL): Endpoint | null {
  const match = GEMINI_MODEL.exec(path);
  if (match === null) return null;
  return {
    kind: match[2] === "countTokens" ? "count_tokens" : "generate",
    wire: geminiWire,
    pathModel: match[1] ?? null,
    pathStreams: match[2] === "streamGenerateContent",
    usesEvents: url.searchParams.get("alt") === "sse",
  };
}

const ENDINGS: readonly {
  readonly ending: string;
  readonly kind: "generate" | "count_tokens";
  readonly wire: Wire;
}[] = [
  { ending: "/messages", kind: "generate", wire: anthropicWire },
  { ending: "/messages/count_tokens", kind: "count_tokens", wire: anthropicWire },
  { ending: "/responses", kind: "generate", wire: responsesWire },
  { ending: "/responses/input_tokens", kind: "count_tokens", wire: responsesWire },
  { ending: "/chat/completions", kind: "generate", wire: chatWire },
];

function findByEnding(path: string): Endpoint {
  const found = ENDINGS.find(({ ending }) => path.endsWith(ending));
  if (found === undefined) return { kind: "unknown" };
  const { kind, wire } = found;
  return { kind, wire, pathModel: null, pathStreams: false, usesEvents: true };
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly string[];
  /** The pause before each chunk. */
  readonly delayMs: number;
  readonly ending: ReplyEnding;
}

type ReplyEnding =
  | { readonly kind: "finish" }
  /** The connection is cut, or falls silent, after so many chunks. */
  | { readonly kind: "drop" | "hang"; readonly after: number }
  /** Not even headers are sent. */
  | { readonly kind: "silence" };

export type GenerateEndpoint = Extract<Endpoint, { kind: "generate" | "count_tokens" }>;

const FINISH: ReplyEnding = { kind: "finish" };

export function jsonReply(status: number, body: unknown): Reply {
  return {
    status,
    headers: { "content-type": "application/json" },
    chunks: [JSON.stringify(body)],
    delayMs: 0,
    ending: FINISH,
  };
}

export function answerReply(
  endpoint: GenerateEndpoint,
  request: ModelRequest,
  answer: ModelAnswer,
): Reply {
  const { wire } = endpoint;
  if (!request.isStreaming) return jsonReply(200, wire.wholeAnswer(answer));
  const frames = wire.streamAnswer(answer);
  const asArray = () => frames.map(({ data }, at) => `${at === 0 ? "[" : ","}${data}`).concat("]");
  return {
    status: 200,
    headers: {
      "content-type": endpoint.usesEvents ? "text/event-stream" : "application/json",
      "cache-control": "no-cache",
    },
    chunks: endpoint.usesEvents ? frames.map(formatFrame) : asArray(),
    delayMs: 0,
    ending: FINISH,
  };
}

export function errorReply(wire: Wire, fault: ScriptedFault, status: number): Reply {
  const retryAfterMs = fault.retry_after ?? null;
  const message = fault.message ?? `scripted failure ${status}`;
  const reply = jsonReply(status, wire.describeError({ status, message, retryAfterMs }));
  if (retryAfterMs === null) return reply;
  const seconds = String(Math.ceil(retryAfterMs / 1000));
  return { ...reply, headers: { ...reply.headers, "retry-after": seconds } };
}

/** Spoils the good answer as the fault says. */
export function corruptReply(reply: Reply, fault: ScriptedFault): Reply {
  // A whole answer is one chunk: it is halved, so that there is a middle to break in.
  const chunks = reply.chunks.length === 1 ? halve(reply.chunks[0] ?? "") : reply.chunks;
  if (fault.hang === true) return { ...reply, ending: { kind: "silence" } };
  if (fault.drop_after !== undefined)
    return {
      ...reply,
      chunks,
      ending: { kind: "drop", after: keepIncomplete(chunks, fault.drop_after) },
    };
  if (fault.hang_after !== undefined)
    return {
      ...reply,
      chunks,
      ending: { kind: "hang", after: keepIncomplete(chunks, fault.hang_after) },
    };
  if (fault.content_type !== undefined)
    return {
      ...reply,
      headers: { ...reply.headers, "content-type": fault.content_type },
      chunks: fault.body === undefined ? reply.chunks : [fault.body],
    };
  return { ...reply, chunks: breakChunk(chunks, fault.malformed_frame ?? 1) };
}

const halve = (text: string): string[] => {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};

const keepIncomplete = (chunks: readonly string[], after: number): number =>
  Math.min(after, chunks.length - 1);

/** Cut inside its JSON, with the frame's own end kept: the transport is sound, the content is not. */
function breakChunk(chunks: readonly string[], number: number): string[] {
  const broken = Math.min(number, chunks.length) - 1;
  return chunks.map((chunk, at) => {
    if (at !== broken) return chunk;
    const cut = chunk.slice(0, Math.max(1, Math.floor(chunk.length / 2)));
    return chunk.endsWith("\n\n") ? `${cut}\n\n` : cut;
  });
}

/**
 * Sends a planned reply. The signal fires when the client has gone or the server closes; what is
 * still to be sent is then left unsent, which is no failure.
 */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  signal: AbortSignal,
): Promise<void> {
  const { ending } = reply;
  if (ending.kind === "silence") return;
  response.writeHead(reply.status, reply.headers);
  response.flushHeaders();
  const count = ending.kind === "finish" ? reply.chunks.length : ending.after;
  for (const chunk of reply.chunks.slice(0, count)) {
    if (reply.delayMs > 0) await waitUnlessAborted(reply.delayMs, signal);
    if (signal.aborted) return;
    if (!response.write(chunk)) await once(response, "drain", { signal }).catch(ignoreAbort);
  }
  if (ending.kind === "finish") response.end();
  if (ending.kind === "drop") await dropAfterReading(response, signal);
}

/** So long a client has to read what came before the cut: some look at the error first where both are there at once. */
const READING_MS = 100;

/** A cut must not overtake what was written before it. */
async function dropAfterReading(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => response.write("", () => resolve()));
  await waitUnlessAborted(READING_MS, signal);
  response.destroy();
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== "AbortError") throw error;
}

/** What the real API would not take, in its own form. */
export const refuseModelRequest = (
  { wire }: GenerateEndpoint,
  why: Partial<Pick<WireFailure, "message" | "code">> = {},
): Reply =>
  jsonReply(
    400,
    wire.describeError({
      status: 400,
      message: `the body is not a request of ${wire.name}`,
      retryAfterMs: null,
      ...why,
    }),
  );
