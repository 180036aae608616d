// What the agent said.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { answerText } from "../../agents/answer-text.ts";
import type { Evaluator } from "../evaluator.ts";
import { fall, gradeScore, pass } from "./grade.ts";
import { readOptionsBy } from "./read-options.ts";

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

export const regex: Evaluator<string> = {
  type: "regex",
  description: "the answer matches this expression",
  readOptions: readOptionsBy(pattern),
  files: () => [],
  grade: async (options, { log }) =>
    new RegExp(options, "u").test(answerText(log)) ? pass("it matches") : fall("it does not match"),
};

const schemaOption = z.union([text, z.record(z.string(), z.json())], {
  error: "must be the path of a JSON Schema, or the schema itself",
});

export const jsonSchema: Evaluator<z.infer<typeof schemaOption>> = {
  type: "json-schema",
  description: "the answer is JSON that fits this schema",
  readOptions: readOptionsBy(schemaOption),
  files: (options) => (typeof options === "string" ? [options] : []),
  grade: async (options, { log, suiteFolder }) => {
    const answer = readJson(answerText(log));
    if (answer === undefined) return fall("the answer holds no JSON");
    const schema =
      typeof options === "string"
        ? JSON.parse(await readFile(resolve(suiteFolder, options), "utf8"))
        : options;
    const { z: full } = await import("zod");
    const checked = full.fromJSONSchema(nameRequired(schema)).safeParse(answer);
    if (checked.success) return pass("it fits");
    const [issue] = checked.error.issues;
    return fall(`${issue?.path.join(".") || "the answer"}: ${issue?.message}`);
  },
};

type Schema = Exclude<z.infer<typeof schemaOption>, string>;

/** zod 4.6 looks only at required fields that `properties` names as well. */
function nameRequired(schema: Schema): Schema {
  const inner = Object.entries(schema).map(([key, value]): [string, z.core.util.JSONType] => [
    key,
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? nameRequired(value)
      : value,
  ]);
  const known = Object.fromEntries(inner);
  if (!Array.isArray(known.required)) return known;
  const named = Object.fromEntries(known.required.map((name) => [String(name), {}]));
  const properties = typeof known.properties === "object" ? known.properties : {};
  return { ...known, properties: { ...named, ...properties } };
}

/** The whole answer, or the last fenced block of it. */
function readJson(answer: string): unknown {
  const blocks = [...answer.matchAll(/```(?:json)?\n([\s\S]*?)```/g)].map(
    ([, block]) => block ?? "",
  );
  for (const candidate of [answer, ...blocks.toReversed()])
    try {
      return JSON.parse(candidate);
    } catch {
      // The next one may be the one that was meant.
    }
  return undefined;
}
