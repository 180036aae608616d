// An answer as data from any agent: what it is told beside the prompt, and whether what it says fits.
import type { JsonValue } from "../../core/command/context.ts";
import { readJsonAnswer } from "./json-answer.ts";
import type { RunLog } from "./run-log.ts";

const CONTRACT =
  "Answer with one JSON value that fits this JSON Schema, and with nothing else, no fence and no words around it:";

/** For an agent that has no flag for it. */
export const withContract = (prompt: string, schema: object): string =>
  `${prompt}\n\n${describeContract(schema)}`;

export const describeContract = (schema: object): string =>
  `${CONTRACT}\n${JSON.stringify(schema)}`;

export type CheckedAnswer =
  | { readonly kind: "fits"; readonly data: JsonValue }
  | { readonly kind: "other"; readonly problem: string };

/** By the check of a schema; `read` is what is made of the answer before it is checked. */
export function checkAnswer(
  log: RunLog,
  check: (value: unknown) => string | null,
  read: (value: JsonValue) => JsonValue = (value) => value,
): CheckedAnswer {
  const said = readJsonAnswer(log);
  if (!isJson(said)) return { kind: "other", problem: "it holds no JSON" };
  const data = read(said);
  const problem = check(data);
  return problem === null ? { kind: "fits", data } : { kind: "other", problem };
}

/** What was parsed from JSON is JSON. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;
