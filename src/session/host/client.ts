// A window's side of the host over loopback. The host is our own program with our own key, so what it answers is taken
// for what it says.
import type { JsonValue } from "../../core/command/context.ts";
import { Fault, fault, messageOf } from "../../core/command/fault.ts";
import type { HostAddress } from "./address.ts";
import {
  type ExtensionReply,
  type FollowRequest,
  type HostEvent,
  reviveFault,
  type SessionHost,
} from "./session-host.ts";

export function createHostClient(address: HostAddress): SessionHost {
  const ask = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const response = await reach(address, path, {
      method: body === undefined ? "GET" : "POST",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw fault("HostUnreachable", { problem: problemIn(response, text) });
    const answer: Answer = JSON.parse(text);
    return answer;
  };
  const named = (part: string): string => encodeURIComponent(part);
  return {
    send: ({ sessionId, ...rest }) => ask(`/v1/sessions/${named(sessionId)}/turns`, rest),
    steer: (sessionId, text, env) => ask(`/v1/sessions/${named(sessionId)}/steer`, { text, env }),
    cancel: (turnId) => ask(`/v1/turns/${named(turnId)}/cancel`, {}),
    turns: (sessionId, last) => ask(`/v1/sessions/${named(sessionId)}/turns?last=${last}`),
    questions: () => ask("/v1/questions"),
    answer: (id, answer, by, kept) =>
      ask(`/v1/questions/${named(id)}/answer`, {
        answer,
        by,
        ...(kept === undefined ? {} : { kept }),
      }),
    callExtension: async (name, method, body, env) => {
      const path = `/v1/extensions/${named(name)}/${named(method)}`;
      const reply = await ask<ExtensionReply<JsonValue>>(path, { body, env });
      if (reply.kind === "refused") throw reviveFault(reply.error, reply.exitCode);
      return reply.value;
    },
    follow: (request) => followEvents(address, request),
    close: async () => undefined,
  };
}

/** What the host says is wrong, else the number that it answered with. */
function problemIn({ status }: Response, text: string): string {
  const [, reason] = /^\{"error":"(.*)"\}$/s.exec(text) ?? [];
  return reason === undefined ? `it answered with ${status}` : JSON.parse(`"${reason}"`);
}

/** Asks a host to end by itself. */
export async function stopHost(address: HostAddress): Promise<void> {
  await reach(address, "/v1/stop", { method: "POST", body: "{}" });
}

async function reach(
  { port, clientKey }: HostAddress,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${clientKey}`,
    "content-type": "application/json",
    ...init.headers,
  };
  try {
    return await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const problem = messageOf(cause);
    throw fault("HostUnreachable", { problem }, { hint: "try again", cause: error });
  }
}

async function* followEvents(
  address: HostAddress,
  { sessionId, sinceSeq, fromStart, signal, onOpen }: FollowRequest,
): AsyncGenerator<HostEvent> {
  const query = new URLSearchParams({
    ...(sessionId === undefined ? {} : { session: sessionId }),
    ...(sinceSeq === undefined ? {} : { since: String(sinceSeq) }),
    ...(fromStart === true ? { from: "start" } : {}),
  });
  try {
    const response = await reach(address, `/v1/events?${query}`, { signal });
    if (response.body !== null) yield* readEvents(response.body, onOpen);
  } catch (error) {
    // A host that went away ends the stream; who waits for more asks what became of it.
    if (error instanceof Fault) throw error;
  }
}

/** Events as the stream has them: blocks that end with an empty line, of which only `data` matters here. */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onOpen: FollowRequest["onOpen"],
): AsyncGenerator<HostEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === "{}") onOpen?.();
      else if (data !== undefined) yield JSON.parse(data);
    }
  }
}
