import type { IncomingHttpHeaders } from "node:http";
import type { ModelRequest } from "./wire.ts";

type RequestKind =
  /** It asked for the next turn of the conversation. */
  | "turn"
  /** The agent asked on its own account: a title, a memory, a classification. */
  | "side"
  | "count_tokens"
  | "models"
  | "probe"
  | "unknown"
  /** The address is known, the body is not a request of its protocol. */
  | "unreadable"
  /** One that the real API would not take either. */
  | "refused";

export interface RecordedRequest {
  /** From 1, in order of arrival. */
  readonly number: number;
  readonly kind: RequestKind;
  readonly method: string;
  readonly path: string;
  readonly agent: string | null;
  /** Keys and cookies are masked. */
  readonly headers: Readonly<Record<string, string>>;
  readonly request: ModelRequest | null;
  /** As it came, up to a limit. */
  readonly body: string;
  readonly isBodyCut: boolean;
  /** What was answered, for people: `turn 2`, `fault status 429 of turn 1`. */
  readonly answered: string;
  /** What makes the run not as scripted. */
  readonly problem: string | null;
}

const KEPT_BODY = 1_048_576;
const SECRET_HEADERS = /^(authorization|proxy-authorization|cookie|.*(api-?key|token|secret).*)$/;
const MASK = "***";

export function maskHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const masked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    masked[name] = SECRET_HEADERS.test(name) ? MASK : [value].flat().join(", ");
  }
  return masked;
}

/** Gemini clients may put their key into the address. */
export function maskPath(url: URL): string {
  const shown = new URL(url);
  for (const name of [...shown.searchParams.keys()])
    if (/key|token/i.test(name)) shown.searchParams.set(name, MASK);
  return `${shown.pathname}${shown.search}`;
}

export function keepBody(body: Buffer): Pick<RecordedRequest, "body" | "isBodyCut"> {
  return {
    body: body.subarray(0, KEPT_BODY).toString("utf8"),
    isBodyCut: body.length > KEPT_BODY,
  };
}
