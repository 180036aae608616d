// Whether the agent's answer is JSON that fits a schema of the suite.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import * as z from "zod/mini";
import { answerText, type RunLog } from "../../agents/log/run-log.ts";
import type { Evaluator } from "../suite/evaluator.ts";
import { withinTime } from "./answers.ts";
import { failGrade, passGrade, readOptionsBy } from "./grade.ts";

const SCHEMA = z.record(z.string(), z.json());
type Schema = z.infer<typeof SCHEMA>;
const OPTIONS = z.union([z.string().check(z.minLength(1)), SCHEMA], {
  error: "must be the path of a JSON Schema, or the schema itself",
});
type Options = z.infer<typeof OPTIONS>;

const readSchemaOption = readOptionsBy(OPTIONS);
const MAX_CHECK_MS = 2_000;

export const jsonSchema: Evaluator<Options> = {
  type: "json-schema",
  description: "the answer is JSON that fits this schema",
  readOptions: (raw) => {
    const reading = readSchemaOption(raw);
    if (reading.kind === "invalid" || typeof reading.options === "string") return reading;
    const schema = readSchema(reading.options);
    return schema.kind === "schema" ? reading : { ...schema, path: [] };
  },
  files: (options) => (typeof options === "string" ? [options] : []),
  grade: async (options, { log, suiteFolder }) => {
    const schema = readSchema(
      typeof options === "string" ? await readFileSchema(resolve(suiteFolder, options)) : options,
    );
    if (schema.kind === "invalid") throw new Error(schema.problem);
    const answer = readJson(log);
    if (answer === undefined) return failGrade("the answer holds no JSON");
    const problem = withinTime(MAX_CHECK_MS, () => schema.check(answer));
    return problem === null ? passGrade("it fits") : failGrade(problem);
  },
};

const readFileSchema = async (file: string): Promise<Schema> =>
  SCHEMA.parse(JSON.parse(await readFile(file, "utf8")));

/** All the agent said, its last word, or the last fenced block. */
function readJson(log: RunLog): unknown {
  const said = log.messages.filter(
    ({ role, parent }) => role === "assistant" && parent === undefined,
  );
  const answer = answerText(log);
  for (const candidate of [
    answer,
    said.at(-1)?.content ?? "",
    ...fencedBlocks(answer).toReversed(),
  ])
    try {
      return JSON.parse(candidate);
    } catch {
      // The next one may be the one that was meant.
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

function readSchema(schema: object): SchemaReading {
  const isOld = "$schema" in schema && DRAFT_7.test(String(schema.$schema));
  const ajv = isOld ? new Ajv(AJV_OPTIONS) : new Ajv2020(AJV_OPTIONS);
  formats.default(ajv);
  try {
    return { kind: "schema", check: checkBy(ajv.compile(schema)) };
  } catch (error) {
    return { kind: "invalid", problem: error instanceof Error ? error.message : String(error) };
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
  const place = error?.instancePath.slice(1).replaceAll("/", ".") ?? "";
  return `${place === "" ? "it" : `\`${place}\``} ${error?.message ?? "does not fit"}`;
}
