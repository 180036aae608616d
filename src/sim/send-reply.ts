import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Reply } from "./reply.ts";

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
    if (reply.delayMs > 0) await waitUnlessGone(reply.delayMs, signal);
    if (signal.aborted) return;
    if (!response.write(chunk)) await once(response, "drain", { signal }).catch(ignoreAbort);
  }
  if (ending.kind === "finish") response.end();
  // A cut must not overtake what was written before it.
  if (ending.kind === "drop") response.write("", () => response.destroy());
}

async function waitUnlessGone(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(ignoreAbort);
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== "AbortError") throw error;
}
