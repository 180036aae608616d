// From a request on the wire to the reply and the record of it. Pure: the state goes in and comes out.
import type { IncomingHttpHeaders } from "node:http";
import { buildSideAnswer } from "./build-answer.ts";
import { findEndpoint } from "./endpoint.ts";
import { identifyAgent } from "./identify-agent.ts";
import type { ModelRequest } from "./model-request.ts";
import { type Conversations, playTurn, speakerOf } from "./play-turn.ts";
import { keepBody, maskHeaders, maskPath, type RecordedRequest } from "./recorded-request.ts";
import { answerReply, type GenerateEndpoint, jsonReply, type Reply } from "./reply.ts";
import type { Scenario } from "./scenario.ts";
import { isSideRequest } from "./side-request.ts";

export interface ReceivedRequest {
  readonly number: number;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface AnsweredRequest {
  readonly reply: Reply;
  readonly recorded: RecordedRequest;
  readonly conversations: Conversations;
}

type Outcome = Pick<RecordedRequest, "kind" | "answered" | "problem"> & {
  readonly reply: Reply;
  readonly request: ModelRequest | null;
  readonly conversations: Conversations;
};

export function answerRequest(
  scenario: Scenario,
  conversations: Conversations,
  received: ReceivedRequest,
): AnsweredRequest {
  const { reply, conversations: next, ...outcome } = settle(scenario, conversations, received);
  const recorded: RecordedRequest = {
    number: received.number,
    method: received.method,
    path: maskPath(received.url),
    agent: identifyAgent(received.headers),
    headers: maskHeaders(received.headers),
    ...keepBody(received.body),
    ...outcome,
  };
  return { reply, recorded, conversations: next };
}

function settle(
  scenario: Scenario,
  conversations: Conversations,
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
    return { ...plain, kind: "unreadable", answered: "400", reply: refuse(endpoint) };
  if (isSideRequest(request, conversations.get(speakerOf(request)) ?? null)) {
    const answer = buildSideAnswer({ number: received.number, request });
    const reply = answerReply(endpoint, request, answer);
    return { ...plain, kind: "side", answered: "side answer", reply, request };
  }
  const played = playTurn({ scenario, conversations, endpoint, request, number: received.number });
  return { kind: "turn", request, ...played };
}

const NOT_FOUND = { error: { message: "the scripted model server has no such address" } };

function parseBody(endpoint: GenerateEndpoint, received: ReceivedRequest): ModelRequest | null {
  try {
    return endpoint.wire.parseRequest(JSON.parse(received.body.toString("utf8")), {
      agent: identifyAgent(received.headers),
      pathModel: endpoint.pathModel,
      pathStreams: endpoint.pathStreams,
    });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const refuse = ({ wire }: GenerateEndpoint): Reply =>
  jsonReply(
    400,
    wire.describeError({
      status: 400,
      message: `the body is not a request of ${wire.name}`,
      retryAfterMs: null,
    }),
  );

const estimateTokens = (body: Buffer): number => Math.ceil(body.length / 4);
