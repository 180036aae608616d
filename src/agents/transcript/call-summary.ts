import { isRecord } from "../json-fields.ts";
import type { ToolCall } from "../run-log.ts";
import { cleanText } from "./clean-text.ts";
import { countOf, formatDuration } from "./figures.ts";

export interface CallArgument {
  /** Null where the agent gave its arguments as one value without a name. */
  readonly name: string | null;
  readonly text: string;
}

/** What a tool was called with, each argument as clean text. */
export function listArguments({ arguments: given }: ToolCall): readonly CallArgument[] {
  if (given === undefined || given === null || given === "") return [];
  if (!isRecord(given)) return [{ name: null, text: writeValue(given) }];
  return Object.entries(given).map(([name, value]) => ({
    name: cleanText(name),
    text: writeValue(value),
  }));
}

const writeValue = (value: unknown): string =>
  cleanText(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** How a call went, in words: `["failed", "56 ms"]`. What the agent did not say is left out. */
export function listCallNotes(call: ToolCall): readonly string[] {
  return [
    ...(call.permission === "denied" ? ["denied"] : []),
    ...(call.is_error === true ? ["failed"] : []),
    ...(call.duration_ms === undefined ? [] : [formatDuration(call.duration_ms)]),
    ...(call.result === undefined ? ["no result in the log"] : []),
  ];
}

export const isTroubled = (call: ToolCall): boolean =>
  call.is_error === true || call.permission === "denied";

/** `result, 12 lines`, above what may be folded away. */
export const titleOfResult = (lines: readonly string[]): string =>
  lines.length === 0 ? "result, empty" : `result, ${countOf(lines.length, "line")}`;
