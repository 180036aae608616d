// What the script's process says. It is not trusted: every line is checked, and one that is no message ends it.
import { asCount, asText } from "../../agents/log/json-fields.ts";
import type { JsonValue } from "../../core/command/context.ts";
import { isRecord, type JsonRecord, parseJsonObject } from "../../core/project/json-value.ts";
import type { ScriptFacts } from "./inside/dialect.ts";

const CALLS = ["agent", "workflow", "command", "ask", "sleep", "now", "random"] as const;
type CallKind = (typeof CALLS)[number];

export interface ScriptCall {
  readonly kind: "call";
  readonly id: number;
  readonly what: CallKind;
  readonly path: string;
  readonly phase: string | null;
  readonly data: JsonRecord;
}

export interface ReturnedMessage {
  readonly kind: "returned";
  /** Undefined where it returned nothing. */
  readonly value: JsonValue | undefined;
  /** What of it JSON could not hold. */
  readonly problems: readonly string[];
}

export type ScriptMessage =
  | ScriptCall
  | { readonly kind: "log" | "phase" | "warning"; readonly text: string }
  | { readonly kind: "unawaited"; readonly calls: number }
  | { readonly kind: "pong" | "idle" }
  | ReturnedMessage
  | {
      readonly kind: "threw";
      readonly name: string;
      readonly message: string;
      readonly stack: string;
    };

/** No call may be longer than a result, and its characters may take three bytes each. */
export const MAX_LINE_LENGTH = 12 * 1024 * 1024;
const MAX_TEXT_LENGTH = 20_100;
const MAX_PATH_LENGTH = 2_000;
const PATH = /^(?:(?:^|\/)(?:parallel#\d+\/\d+|pipeline#\d+\/\d+(?:\/\d+)?|workflow#\d+))*$/;

/** Null for a line that is no message. */
export function readScriptMessage(line: string): ScriptMessage | null {
  const record = parseJsonObject(line);
  switch (record?.kind) {
    case "call":
      return readCall(record);
    case "log":
    case "phase":
    case "warning":
      return withText(record.kind, record.text);
    case "unawaited": {
      const calls = asCount(record.calls);
      return calls === null ? null : { kind: "unawaited", calls };
    }
    case "pong":
    case "idle":
      return { kind: record.kind };
    case "returned":
      return readReturned(record);
    case "threw":
      return readThrown(record);
    default:
      return null;
  }
}

function readCall({ id, what, path, phase, data }: JsonRecord): ScriptCall | null {
  const number = asCount(id);
  const known = CALLS.find((each) => each === what);
  if (number === null || known === undefined || typeof path !== "string" || !isRecord(data))
    return null;
  if (path.length > MAX_PATH_LENGTH || !PATH.test(path)) return null;
  return { kind: "call", id: number, what: known, path, phase: asText(phase), data };
}

const withText = (kind: "log" | "phase" | "warning", text: unknown): ScriptMessage | null =>
  typeof text === "string" ? { kind, text: text.slice(0, MAX_TEXT_LENGTH) } : null;

function readReturned({ value, problems }: JsonRecord): ScriptMessage | null {
  if (!Array.isArray(problems)) return null;
  const result = isJson(value) ? value : undefined;
  return { kind: "returned", value: result, problems: problems.map(String) };
}

function readThrown({ name, message, stack }: JsonRecord): ScriptMessage | null {
  if (typeof name !== "string" || typeof message !== "string" || typeof stack !== "string")
    return null;
  return { kind: "threw", name, message, stack };
}

/** Of what `JSON.parse` gave: that is JSON, but for a field that is not there. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;

export const asJson = (value: unknown): JsonValue => (isJson(value) ? value : null);

// What it is told: one letter, then JSON.

interface StartMessage {
  readonly prelude: string;
  readonly script: string;
  readonly file: string;
  readonly facts: ScriptFacts;
}

export const writeStart = ({ facts, ...rest }: StartMessage): string =>
  `<${JSON.stringify({ ...rest, facts: JSON.stringify(facts) })}\n`;

export interface CallAnswer {
  readonly value: JsonValue;
  /** An error that the script may catch. */
  readonly thrown: string | null;
  readonly spent: number;
}

/** The process reads only the number: what is in the answer is for the script. */
export const writeAnswer = (id: number, answer: CallAnswer): string =>
  `=${JSON.stringify({ id, answer: JSON.stringify(answer) })}\n`;

export const PING = "?\n";
