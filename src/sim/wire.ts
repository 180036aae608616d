import type { ModelAnswer } from "./model-answer.ts";
import type { ModelRequest, WireName } from "./model-request.ts";
import type { SimAgent } from "./sim-agent.ts";

/** One server-sent event. */
export interface Frame {
  readonly event: string | null;
  readonly data: string;
}

export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly retryAfterMs: number | null;
}

/** What the address of a request says besides its body. */
export interface RequestFacts {
  readonly agent: SimAgent | null;
  /** Only Gemini names the model and the streaming in the address. */
  readonly pathModel: string | null;
  readonly pathStreams: boolean;
}

/** One model provider's protocol, without any I/O. */
export interface Wire {
  readonly name: WireName;
  /** Null where the body is not a request of this protocol. */
  parseRequest(body: unknown, facts: RequestFacts): ModelRequest | null;
  streamAnswer(answer: ModelAnswer): Frame[];
  wholeAnswer(answer: ModelAnswer): unknown;
  describeError(failure: Failure): unknown;
  describeTokenCount(tokens: number): unknown;
  listModels(): unknown;
}

export const jsonFrame = (value: unknown, event: string | null = null): Frame => ({
  event,
  data: JSON.stringify(value),
});

export const formatFrame = ({ event, data }: Frame): string =>
  `${event === null ? "" : `event: ${event}\n`}data: ${data}\n\n`;
