import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answerRequest } from "./answer-request.ts";
import { checkExpectations, type SimReport } from "./check-expectations.ts";
import { closeServer, LOOPBACK, listenOnLoopback } from "./loopback.ts";
import type { Conversations } from "./play-turn.ts";
import { readBody } from "./read-body.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { Scenario } from "./scenario.ts";
import { sendReply } from "./send-reply.ts";

export interface SimOptions {
  /** Any free one, if nothing is said. */
  readonly port?: number;
  /** Called for each request before it is answered. */
  readonly onRequest?: (request: RecordedRequest) => void;
}

export interface Sim {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  requests(): readonly RecordedRequest[];
  /** With the exit code of the program that was run against it, where there was one. */
  report(exitCode?: number | null): SimReport;
  /** Cuts every connection that is still open. */
  close(): Promise<void>;
}

/** Serves a scenario on loopback until it is closed. */
export async function startSim(scenario: Scenario, options: SimOptions = {}): Promise<Sim> {
  const requests: RecordedRequest[] = [];
  let conversations: Conversations = new Map();

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const body = await readBody(incoming);
    if (body === null) return;
    const answered = answerRequest(scenario, conversations, {
      number: requests.length + 1,
      method: incoming.method ?? "GET",
      url: new URL(incoming.url ?? "/", `http://${LOOPBACK}`),
      headers: incoming.headers,
      body,
    });
    conversations = answered.conversations;
    requests.push(answered.recorded);
    options.onRequest?.(answered.recorded);
    await sendReply(response, answered.reply, gone.signal);
  };

  const server = createServer(handle);
  // Codex tries a WebSocket first; this answer makes it fall back to events.
  server.on("upgrade", (_incoming, socket) => {
    socket.end("HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  });
  const port = await listenOnLoopback(server, options.port ?? 0);
  return {
    url: `http://${LOOPBACK}:${port}`,
    requests: () => [...requests],
    report: (exitCode = null) => checkExpectations(scenario, requests, exitCode),
    close: () => closeServer(server),
  };
}
