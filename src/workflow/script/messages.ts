// What the script's process says. It is not trusted: every line is checked, and one that is no message ends it.
import { asCount, asText, isRecord, type JsonRecord } from "../../agents/log/json-fields.ts";
import type { JsonValue } from "../../core/command/context.ts";
import type { ScriptFacts } from "./inside/dialect.ts";

export const CALLS = ["agent", "workflow", "command", "ask", "sleep", "now", "random"] as const;
export type CallKind = (typeof CALLS)[number];

export interface ScriptCall {
  readonly kind: "call";
  readonly id: number;
  readonly what: CallKind;
  readonly path: string;
  readonly phase: string | null;
  readonly data: JsonRecord;
}

export type ScriptMessage =
  | ScriptCall
  | { readonly kind: "log" | "phase" | "warning"; readonly text: string }
  | { readonly kind: "unawaited"; readonly calls: number }
  | { readonly kind: "pong" | "idle" }
  | {
      readonly kind: "returned";
      readonly value: JsonValue | undefined;
      readonly problems: readonly string[];
    }
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
export function readMessage(line: string): ScriptMessage | null {
  const record = parseRecord(line);
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

function parseRecord(line: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
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
  if (!Array.isArray(problems) || value === undefined) {
    return Array.isArray(problems)
      ? { kind: "returned", value: undefined, problems: problems.map(String) }
      : null;
  }
  return { kind: "returned", value: asJson(value), problems: problems.map(String) };
}

function readThrown({ name, message, stack }: JsonRecord): ScriptMessage | null {
  if (typeof name !== "string" || typeof message !== "string" || typeof stack !== "string")
    return null;
  return { kind: "threw", name, message, stack };
}

/** Whatever `JSON.parse` gives is JSON. */
export function asJson(value: unknown): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return value;
  if (Array.isArray(value)) return value;
  return isRecord(value) && isJsonRecord(value) ? value : null;
}

const isJsonRecord = (value: JsonRecord): value is { readonly [key: string]: JsonValue } =>
  value !== null;

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
  readonly id: number;
  readonly value: JsonValue;
  /** An error that the script may catch. */
  readonly thrown: string | null;
  readonly spent: number;
}

export const writeAnswer = (answer: CallAnswer): string => `=${JSON.stringify(answer)}\n`;

export const PING = "?\n";
