// What the agent said: texts it must hold, an expression it must match, a schema that it must fit.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import * as z from "zod/mini";
import { readAnswerSchema, readJsonAnswer } from "../../agents/log/json-answer.ts";
import { answerText } from "../../agents/log/run-log.ts";
import {
  type Evaluator,
  failGrade,
  gradeScore,
  passGrade,
  readOptionsBy,
} from "../suite/evaluator.ts";

const text = z.string().check(z.minLength(1));
const texts = z.union([text, z.array(text).check(z.minLength(1))], {
  error: "must be a text or a list of texts",
});

export const contains: Evaluator<z.infer<typeof texts>> = {
  type: "contains",
  description: "the answer holds these texts",
  readOptions: readOptionsBy(texts),
  files: () => [],
  grade: async (options, { log }) => {
    const wanted = [options].flat();
    const answer = answerText(log);
    const missing = wanted.filter((part) => !answer.includes(part));
    const message =
      missing.length === 0
        ? "all there"
        : `missing: ${missing.map((part) => JSON.stringify(part)).join(", ")}`;
    return gradeScore(1 - missing.length / wanted.length, 1, message);
  },
};

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
const pattern = text.check(z.refine(isPattern, "is not a regular expression"));

const MAX_SEARCH_MS = 1_000;

export const regex: Evaluator<string> = {
  type: "regex",
  description: "the answer matches this expression",
  readOptions: readOptionsBy(pattern),
  files: () => [],
  grade: async (options, { log }) => {
    const answer = answerText(log);
    const isMatch = withinTime(MAX_SEARCH_MS, () => new RegExp(options, "u").test(answer));
    return isMatch ? passGrade("it matches") : failGrade("it does not match");
  },
};

/**
 * Work that may never end, an expression that looks for its match among all there could be: past its time it is
 * broken off and throws. Nothing else of this program runs meanwhile.
 */
function withinTime<Value>(timeout: number, work: () => Value): Value {
  const done: { value: Value }[] = [];
  try {
    runInNewContext("work()", { work: () => void done.push({ value: work() }) }, { timeout });
  } catch (error) {
    if (!isOverdue(error)) throw error;
  }
  const [first] = done;
  if (first === undefined) throw new Error(`it took longer than ${timeout} ms to decide`);
  return first.value;
}

/** It comes from another realm, and is no `Error` of this one. */
const isOverdue = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

// Whether the agent's answer is JSON that fits a schema of the suite.

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
    const schema = readAnswerSchema(reading.options);
    return schema.kind === "schema" ? reading : { ...schema, path: [] };
  },
  files: (options) => (typeof options === "string" ? [options] : []),
  grade: async (options, { log, suiteFolder }) => {
    const schema = readAnswerSchema(
      typeof options === "string" ? await readFileSchema(resolve(suiteFolder, options)) : options,
    );
    if (schema.kind === "invalid") throw new Error(schema.problem);
    const answer = readJsonAnswer(log);
    if (answer === undefined) return failGrade("the answer holds no JSON");
    const problem = withinTime(MAX_CHECK_MS, () => schema.check(answer));
    return problem === null ? passGrade("it fits") : failGrade(problem);
  },
};

const readFileSchema = async (file: string): Promise<Schema> =>
  SCHEMA.parse(JSON.parse(await readFile(file, "utf8")));
