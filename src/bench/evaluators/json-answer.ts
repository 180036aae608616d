// Whether the agent's answer is JSON that fits a schema of the suite.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { readAnswerSchema, readJsonAnswer } from "../../agents/log/json-answer.ts";
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
