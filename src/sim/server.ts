import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { fault, messageOf } from "../core/command/fault.ts";
import { quoteNames } from "../core/command/names.ts";
import { loadIdentification } from "./agents.ts";
import { buildAnswer, buildSideAnswer, buildUnscriptedAnswer } from "./build-answer.ts";
import { checkExpectations, type SimReport } from "./check-expectations.ts";
import {
  decideAnswer,
  isSideRequest,
  type SimConversations,
  speakerOf,
  type TurnDecision,
} from "./conversation.ts";
import { keepBody, maskHeaders, maskPath, type RecordedRequest } from "./recorded-request.ts";
import {
  answerReply,
  corruptReply,
  errorReply,
  findEndpoint,
  type GenerateEndpoint,
  jsonReply,
  type Reply,
  refuseModelRequest,
  sendReply,
} from "./reply.ts";
import { describeFault, type Scenario, type ScriptedTurn } from "./scenario.ts";
import type { ModelRequest } from "./wire.ts";

interface SimOptions {
  /** Any free one, if nothing is said. */
  readonly port?: number;
  /** Called for each request before it is answered. */
  readonly onRequest?: (request: RecordedRequest) => void;
}

export interface Sim {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  requests(): readonly RecordedRequest[];
  /** Takes the exit code of the program that was run against it, where there was one. */
  report(exitCode?: number | null): SimReport;
  /** Cuts every connection that is still open. */
  close(): Promise<void>;
}

/** Serves a scenario on loopback until it is closed. */
export async function startSim(scenario: Scenario, options: SimOptions = {}): Promise<Sim> {
  const requests: RecordedRequest[] = [];
  let conversations: SimConversations = new Map();
  const identifyAgent = await loadIdentification();

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
      agent: identifyAgent(incoming.headers),
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

export const LOOPBACK = "127.0.0.1";

/** The port that was given; a taken one is a fault of the caller's. */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  server.listen(port, LOOPBACK);
  try {
    await once(server, "listening");
  } catch (cause) {
    const problem = messageOf(cause);
    throw fault(
      "InputInvalid",
      { what: `port ${port}`, problem: `cannot be listened on: ${problem}` },
      { hint: "choose another port or leave it out", cause },
    );
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Far above what any agent sends; what is longer is cut, and then no longer readable as a request. */
const MAX_BODY_BYTES = 67_108_864;

/** Null where the client left while it was sending. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming) {
      const bytes = Buffer.from(chunk).subarray(0, MAX_BODY_BYTES - length);
      length += bytes.length;
      chunks.push(bytes);
    }
  } catch (error) {
    if (incoming.destroyed) return null;
    throw error;
  }
  return Buffer.concat(chunks);
}

// From a request on the wire to the reply and the record of it. Pure: the state goes in and comes out.

interface ReceivedRequest {
  readonly number: number;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** The CLI that sends it, where it is known. */
  readonly agent: string | null;
  readonly body: Buffer;
}

interface AnsweredRequest {
  readonly reply: Reply;
  readonly recorded: RecordedRequest;
  readonly conversations: SimConversations;
}

type Outcome = Pick<RecordedRequest, "kind" | "answered" | "problem"> & {
  readonly reply: Reply;
  readonly request: ModelRequest | null;
  readonly conversations: SimConversations;
};

function answerRequest(
  scenario: Scenario,
  conversations: SimConversations,
  received: ReceivedRequest,
): AnsweredRequest {
  const { reply, conversations: next, ...outcome } = settle(scenario, conversations, received);
  const recorded: RecordedRequest = {
    number: received.number,
    method: received.method,
    path: maskPath(received.url),
    agent: received.agent,
    headers: maskHeaders(received.headers),
    ...keepBody(received.body),
    ...outcome,
  };
  return { reply, recorded, conversations: next };
}

function settle(
  scenario: Scenario,
  conversations: SimConversations,
  received: ReceivedRequest,
): Outcome {
  const plain = { request: null, problem: null, conversations };
  const endpoint = findEndpoint(received.method, received.url, received.headers);
  if (endpoint.kind === "probe")
    return { ...plain, kind: "probe", answered: "200", reply: jsonReply(200, {}) };
  if (endpoint.kind === "unknown")
    return { ...plain, kind: "unknown", answered: "404", reply: jsonReply(404, NOT_FOUND) };
  if (endpoint.kind === "models") {
    const reply = jsonReply(200, endpoint.wire.listModels());
    return { ...plain, kind: "models", answered: "model list", reply };
  }
  const request = parseBody(endpoint, received);
  if (endpoint.kind === "count_tokens") {
    const reply = jsonReply(200, endpoint.wire.describeTokenCount(estimateTokens(received.body)));
    return { ...plain, kind: "count_tokens", answered: "token count", reply, request };
  }
  if (request === null)
    return { ...plain, kind: "unreadable", answered: "400", reply: refuseModelRequest(endpoint) };
  const refused = endpoint.wire.findProblem?.(JSON.parse(received.body.toString("utf8"))) ?? null;
  if (refused !== null) {
    const reply = refuseModelRequest(endpoint, { message: refused, code: "invalid_json_schema" });
    return { ...plain, kind: "refused", answered: "400", reply, request, problem: refused };
  }
  if (isSideRequest(request, conversations.get(speakerOf(request)) ?? null)) {
    const answer = buildSideAnswer({ number: received.number, request });
    const reply = answerReply(endpoint, request, answer);
    return { ...plain, kind: "side", answered: "side answer", reply, request };
  }
  const played = playTurn({ scenario, conversations, endpoint, request, number: received.number });
  return { kind: "turn", request, ...played };
}

interface SimTurnRequest {
  readonly scenario: Scenario;
  readonly conversations: SimConversations;
  readonly endpoint: GenerateEndpoint;
  readonly request: ModelRequest;
  readonly number: number;
}

interface PlayedTurn {
  readonly reply: Reply;
  /** What people read it as: `turn 2`. */
  readonly answered: string;
  readonly problem: string | null;
  readonly conversations: SimConversations;
}

/** Answers a request for the next turn as the scenario says. */
function playTurn(asked: SimTurnRequest): PlayedTurn {
  const { scenario, conversations, request } = asked;
  const key = speakerOf(request);
  const decided = decideAnswer(scenario, conversations.get(key) ?? null, request);
  return {
    conversations: new Map(conversations).set(key, decided.conversation),
    ...carryOut(asked, decided.decision),
  };
}

function carryOut(
  asked: SimTurnRequest,
  decision: TurnDecision,
): Omit<PlayedTurn, "conversations"> {
  const { endpoint, request, number } = asked;
  if (decision.kind === "unscripted") {
    const reply = answerReply(endpoint, request, buildUnscriptedAnswer({ number, request }));
    return { reply, answered: "nothing scripted", problem: "the scenario has no turn for it" };
  }
  const turnNumber = decision.index + 1;
  const { reply, problem } = replyWithTurn(asked, decision.turn ?? { text: "Scripted text" });
  if (decision.kind === "turn") return { reply, answered: `turn ${turnNumber}`, problem };
  const { fault } = decision;
  return {
    reply:
      fault.status === undefined
        ? corruptReply(reply, fault)
        : errorReply(endpoint.wire, fault, fault.status),
    answered: `fault ${describeFault(fault)} of turn ${turnNumber}`,
    problem: null,
  };
}

function replyWithTurn(
  { scenario, endpoint, request, number }: SimTurnRequest,
  turn: ScriptedTurn,
): { reply: Reply; problem: string | null } {
  const { answer, missingTools } = buildAnswer({ number, request }, turn, scenario.usage);
  return {
    reply: { ...answerReply(endpoint, request, answer), delayMs: turn.delay ?? 0 },
    problem:
      missingTools.length === 0 ? null : `the agent offers no tool for ${quoteNames(missingTools)}`,
  };
}

const NOT_FOUND = { error: { message: "the scripted model server has no such address" } };

function parseBody(endpoint: GenerateEndpoint, received: ReceivedRequest): ModelRequest | null {
  try {
    return endpoint.wire.parseRequest(JSON.parse(received.body.toString("utf8")), {
      agent: received.agent,
      pathModel: endpoint.pathModel,
      pathStreams: endpoint.pathStreams,
    });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const estimateTokens = (body: Buffer): number => Math.ceil(body.length / 4);
