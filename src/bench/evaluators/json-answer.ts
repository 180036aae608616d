import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { answerText } from "../../agents/answer-text.ts";
import type { RunLog } from "../../agents/run-log.ts";
import type { Evaluator } from "../evaluator.ts";
import { fall, pass } from "./grade.ts";
import { readSchema } from "./json-schema.ts";
import { readOptionsBy } from "./read-options.ts";
import { withinTime } from "./within-time.ts";

const SCHEMA = z.record(z.string(), z.json());
type Schema = z.infer<typeof SCHEMA>;
const OPTIONS = z.union([z.string().check(z.minLength(1)), SCHEMA], {
  error: "must be the path of a JSON Schema, or the schema itself",
});
type Options = z.infer<typeof OPTIONS>;

const readSchemaOption = readOptionsBy(OPTIONS);
const LONGEST_CHECK_MS = 2_000;

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
    if (answer === undefined) return fall("the answer holds no JSON");
    const problem = withinTime(LONGEST_CHECK_MS, () => schema.check(answer));
    return problem === null ? pass("it fits") : fall(problem);
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
