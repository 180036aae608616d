// Answers are read by strict parsers: one JSON object, and no half of a surrogate pair in it (Codex's parser
// refuses the whole answer for one, and the tool runs).
import { isRecord } from "../../agents/json-fields.ts";
import type { PromptAnswer } from "./hook-agent.ts";

const LONE_SURROGATE = /\\ud[89a-f]/i;

export type AnswerFields = Readonly<Record<string, unknown>>;

/** Fields that are undefined are left out; without any field there is nothing to say. */
export function printAnswer(fields: AnswerFields): string {
  const text = JSON.stringify(fields);
  if (text === "{}") return "";
  return LONE_SURROGATE.test(text) ? JSON.stringify(mendTexts(fields)) : text;
}

/** A command that printed nothing must not look like no answer. */
export const shownOutput = ({ output, exitCode }: PromptAnswer): string => {
  if (output.trim() !== "") return output;
  return exitCode === 0 ? "(no output)" : `(no output, exit code ${exitCode})`;
};

function mendTexts(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mendTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), mendTexts(inner)]),
  );
}
