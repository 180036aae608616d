// What goes over the socket, decided before anything is sent.
import type { Endpoint } from "./endpoint.ts";
import type { ModelAnswer } from "./model-answer.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ScriptedFault } from "./scripted-fault.ts";
import { formatFrame, type Wire } from "./wire.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly string[];
  /** The pause before each chunk. */
  readonly delayMs: number;
  readonly ending: Ending;
}

export type Ending =
  | { readonly kind: "finish" }
  /** The connection is cut, or falls silent, after so many chunks. */
  | { readonly kind: "drop" | "hang"; readonly after: number }
  /** Not even headers are sent. */
  | { readonly kind: "silence" };

export type GenerateEndpoint = Extract<Endpoint, { kind: "generate" | "count_tokens" }>;

const FINISH: Ending = { kind: "finish" };

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
export function spoilReply(reply: Reply, fault: ScriptedFault): Reply {
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
