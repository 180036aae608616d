import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { answerText } from "../../agents/answer-text.ts";
import type { RunLog } from "../../agents/run-log.ts";
import type { Evaluator } from "../evaluator.ts";
import { fall, pass } from "./grade.ts";
import { checkJson } from "./json-schema/check-json.ts";
import { findSchemaProblem } from "./json-schema/schema-problem.ts";
import { readOptionsBy } from "./read-options.ts";
import { withinTime } from "./within-time.ts";

const SCHEMA = z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.json())], {
  error: "must be the path of a JSON Schema, or the schema itself",
});
type Options = z.infer<typeof SCHEMA>;

const readSchemaOption = readOptionsBy(SCHEMA);
const LONGEST_CHECK_MS = 2_000;

export const jsonSchema: Evaluator<Options> = {
  type: "json-schema",
  description: "the answer is JSON that fits this schema",
  readOptions: (raw) => {
    const reading = readSchemaOption(raw);
    if (reading.kind === "invalid" || typeof reading.options === "string") return reading;
    const found = findSchemaProblem(reading.options);
    if (found === null) return reading;
    return {
      kind: "invalid",
      path: found.path,
      problem: `\`${found.path.at(-1)}\` ${found.problem}`,
    };
  },
  files: (options) => (typeof options === "string" ? [options] : []),
  grade: async (options, { log, suiteFolder }) => {
    const schema =
      typeof options === "string" ? await readSchema(resolve(suiteFolder, options)) : options;
    const answer = readJson(log);
    if (answer === undefined) return fall("the answer holds no JSON");
    const found = withinTime(LONGEST_CHECK_MS, () => checkJson(schema, answer));
    if (found === null) return pass("it fits");
    return fall(
      `${found.path.length === 0 ? "it" : `\`${found.path.join(".")}\``} ${found.problem}`,
    );
  },
};

async function readSchema(file: string): Promise<unknown> {
  const schema: unknown = JSON.parse(await readFile(file, "utf8"));
  const found = findSchemaProblem(schema);
  if (found === null) return schema;
  throw new Error(`\`${file}\`: \`${found.path.join(".")}\` ${found.problem}`);
}

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
