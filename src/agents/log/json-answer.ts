// The answer of an agent as data: the JSON in it, and whether it fits a schema.

import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { JsonValue } from "../../core/command/context.ts";
import { messageOf } from "../../core/command/fault.ts";
import { parseJson } from "../../core/project/json-value.ts";
import { answerText, type RunLog } from "./run-log.ts";

/** All the agent said, its last word, or the last fenced block; undefined where none is JSON. */
export function readJsonAnswer(log: RunLog): unknown {
  const spoken = log.messages.filter(
    ({ role, parent }) => role === "assistant" && parent === undefined,
  );
  const answer = answerText(log);
  for (const candidate of [
    answer,
    spoken.at(-1)?.content ?? "",
    ...fencedBlocks(answer).toReversed(),
  ]) {
    const value = parseJson(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block: string[] | null = null;
  for (const line of text.split("\n")) {
    const isFence = line.trimStart().startsWith("```");
    if (!isFence) block?.push(line);
    else if (block === null) block = [];
    else {
      blocks.push(block.join("\n"));
      block = null;
    }
  }
  return blocks;
}

// Whether a value fits a JSON Schema. Nothing is fetched: a schema refers to itself alone.

type SchemaReading =
  | { readonly kind: "schema"; readonly check: (value: unknown) => string | null }
  | { readonly kind: "invalid"; readonly problem: string };

const DRAFT_7 = /draft-0[67]\b/;

/** Strict: a keyword that is not known would ask for nothing, and nobody would hear of it. */
const AJV_OPTIONS = {
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: false,
} as const;

export function readAnswerSchema(schema: object): SchemaReading {
  const isOld = "$schema" in schema && DRAFT_7.test(String(schema.$schema));
  const ajv = isOld ? new Ajv(AJV_OPTIONS) : new Ajv2020(AJV_OPTIONS);
  formats.default(ajv);
  try {
    return { kind: "schema", check: checkBy(ajv.compile(schema)) };
  } catch (error) {
    return { kind: "invalid", problem: messageOf(error) };
  }
}

const checkBy = (validate: ValidateFunction) => (value: unknown) => {
  try {
    return validate(value) ? null : describeError(validate.errors?.[0]);
  } catch (error) {
    // What goes too deep fits no schema that anybody means; an answer must not get out of its grade by it.
    if (error instanceof RangeError) return "it lies too deep to be checked";
    throw error;
  }
};

function describeError(error: ErrorObject | undefined): string {
  const path = error?.instancePath.slice(1).replaceAll("/", ".") ?? "";
  return `${path === "" ? "it" : `\`${path}\``} ${error?.message ?? "does not fit"}`;
}

// An answer as data from any agent: what it is told beside the prompt, and whether what it says fits.

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
  const value = readJsonAnswer(log);
  if (!isJson(value)) return { kind: "other", problem: "it holds no JSON" };
  const data = read(value);
  const problem = check(data);
  return problem === null ? { kind: "fits", data } : { kind: "other", problem };
}

/** What was parsed from JSON is JSON. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;
