// What client and resident say to each other. Fields end with NUL, which no variable and no path can hold:
//   ADJ1 · client key · agent · cwd · bytes of the payload · number of variables · NAME=value … · payload
// Among the variables `:limit=SECONDS`, a name that none can have, is what the agent's entry says of its time.
// An answer is the server key, a letter, the bytes of stdout and of stderr in eight digits each, then both.
import { timingSafeEqual } from "node:crypto";
import { MAX_PAYLOAD_BYTES, readEntryLimit } from "../pipeline/hook-call.ts";
import { KEY_LENGTH } from "./address.ts";

const GREETING = "ADJ1";
const FIXED_FIELDS = 6;
export const LIMIT_FIELD = ":limit";
const MAX_VARIABLES = 4_096;
const MAX_HEAD_BYTES = 4 << 20;

/** Bytes of an answer before its texts. */
export const HEAD_LENGTH = KEY_LENGTH + 1 + 8 + 8;

export interface WireCall {
  readonly agent: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly payload: string;
  /** What is left of the time that the agent's entry says. */
  readonly entryLimitMs: number | undefined;
}

type WireReading =
  /** It cannot be whole before there are so many bytes. */
  | { readonly kind: "incomplete"; readonly needs: number }
  | { readonly kind: "refused"; readonly problem: string }
  | { readonly kind: "call"; readonly call: WireCall };

/** The key is looked at before anything else is believed. */
export function readWireCall(bytes: Buffer, clientKey: string): WireReading {
  const head = readFields(bytes, 0, FIXED_FIELDS);
  const [greeting, key] = head.fields;
  if (greeting !== undefined && greeting !== GREETING) return refuse("no greeting");
  if (greeting === undefined && bytes.length > GREETING.length) return refuse("no greeting");
  if (key !== undefined && !isSameSecret(key, clientKey)) return refuse("wrong key");
  if (!head.isWhole)
    return bytes.length > MAX_HEAD_BYTES ? refuse("head too long") : awaitMore(bytes.length + 1);
  return readBody(bytes, head);
}

interface Fields {
  readonly fields: readonly string[];
  readonly end: number;
  readonly isWhole: boolean;
}

function readBody(bytes: Buffer, { fields, end }: Fields): WireReading {
  const [agent = "", cwd = "", size, count] = fields.slice(2);
  const [payloadBytes, variableCount] = [Number(size), Number(count)];
  if (!isCount(payloadBytes, MAX_PAYLOAD_BYTES)) return refuse("bad length of the payload");
  if (!isCount(variableCount, MAX_VARIABLES)) return refuse("bad number of variables");
  const variables = readFields(bytes, end, variableCount);
  if (!variables.isWhole)
    return bytes.length > MAX_HEAD_BYTES ? refuse("head too long") : awaitMore(bytes.length + 1);
  const payloadEnd = variables.end + payloadBytes;
  if (bytes.length < payloadEnd) return awaitMore(payloadEnd);
  const payload = bytes.toString("utf8", variables.end, payloadEnd);
  const { [LIMIT_FIELD]: limit, ...env } = envOf(variables.fields);
  return { kind: "call", call: { agent, cwd, env, payload, entryLimitMs: readEntryLimit(limit) } };
}

function readFields(bytes: Buffer, from: number, count: number): Fields {
  const fields: string[] = [];
  let at = from;
  while (fields.length < count) {
    const end = bytes.indexOf(0, at);
    if (end < 0) return { fields, end: at, isWhole: false };
    fields.push(bytes.toString("utf8", at, end));
    at = end + 1;
  }
  return { fields, end: at, isWhole: true };
}

/** A variable that is not set is sent as an empty field. */
function envOf(fields: readonly string[]): Record<string, string> {
  const pairs = fields.flatMap((field) => {
    const at = field.indexOf("=");
    return at > 0 ? [[field.slice(0, at), field.slice(at + 1)] as const] : [];
  });
  return Object.fromEntries(pairs);
}

const isCount = (value: number, most: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= most;

const awaitMore = (needs: number): WireReading => ({ kind: "incomplete", needs });

const refuse = (problem: string): WireReading => ({ kind: "refused", problem });

export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * `answer` ends the call, `wait` says that it is being worked on, `held` that a person is asked and the entry's own
 * limit counts, `cold` sends the client away.
 */
type AnswerKind = "answer" | "wait" | "held" | "cold";
const LETTERS: Readonly<Record<AnswerKind, string>> = {
  answer: "A",
  wait: "W",
  held: "H",
  cold: "C",
};

export function formatAnswer(
  serverKey: string,
  kind: AnswerKind,
  texts: { readonly stdout: string; readonly stderr: string } = { stdout: "", stderr: "" },
): string {
  const digits = [texts.stdout, texts.stderr].map((text) =>
    String(Buffer.byteLength(text)).padStart(8, "0"),
  );
  return `${serverKey}${LETTERS[kind]}${digits.join("")}${texts.stdout}${texts.stderr}`;
}
