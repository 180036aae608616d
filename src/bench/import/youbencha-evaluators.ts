// youBencha: what a test case is written like, and its evaluators as ours.

import * as z from "zod/mini";
import { asRecord, dropUndefined, type JsonRecord } from "../../core/project/json-value.ts";
import { idFrom, uniqueId } from "./imported-suite.ts";

export interface ConvertedEvaluator {
  /** Null where there is no such thing here. */
  readonly entry: Readonly<Record<string, unknown>> | null;
  readonly texts: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

export interface ConversionContext {
  readonly expected: string | undefined;
  agentOf(type: string): string;
  /** Ids of evaluators before this one. */
  readonly ids: Set<string>;
  /** A file that the test case names. */
  readText(path: string): string;
}

export function convertEvaluator(
  { name, config = {} }: EvaluatorDefinition,
  context: ConversionContext,
): ConvertedEvaluator {
  if (name === "git-diff") return convertDiff(config);
  if (name === "expected-diff") return convertExpected(config, context);
  if (name.startsWith("agentic-judge")) return convertJudge(name, config, context);
  return { entry: null, texts: {}, notes: [`evaluator \`${name}\` is not known here`] };
}

const asNumber = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

const SAME = ["max_files_changed", "max_lines_added", "max_lines_removed"];

function convertDiff(config: JsonRecord): ConvertedEvaluator {
  const { min_change_entropy, max_change_entropy, ...limits } = asRecord(config.assertions);
  const entropy = dropUndefined({
    min: asNumber(min_change_entropy),
    max: asNumber(max_change_entropy),
  });
  const kept = SAME.map((name): [string, unknown] => [name, asNumber(limits[name])]);
  const diff = {
    ...dropUndefined(Object.fromEntries(kept)),
    ...(Object.keys(entropy).length === 0 ? {} : { entropy }),
  };
  const lost = Object.keys(limits).filter((name) => !SAME.includes(name));
  const notes = lost.map((name) => `\`${name}\` of git-diff has no counterpart`);
  return { entry: { diff }, texts: {}, notes };
}

/** As youBencha has it. */
const DEFAULT_SIMILARITY = 0.8;

function convertExpected(config: JsonRecord, { expected }: ConversionContext): ConvertedEvaluator {
  if (expected === undefined)
    return { entry: null, texts: {}, notes: ["expected-diff without `expected` is left out"] };
  const similarity = asNumber(config.threshold) ?? DEFAULT_SIMILARITY;
  return { entry: { expected: { branch: expected, similarity } }, texts: {}, notes: [] };
}

/** Of youBencha's own judge; any other would be an agent that the user has described. */
const JUDGE_NAME = "agentic-judge";

function convertJudge(
  name: string,
  config: JsonRecord,
  context: ConversionContext,
): ConvertedEvaluator {
  const id = uniqueId(name.replace(":", "-"), context.ids);
  const rubric = `rubrics/${id}.md`;
  const { agent_name, timeout } = config;
  const judge = dropUndefined({
    agent: context.agentOf(String(config.type ?? "")),
    model: typeof config.model === "string" ? config.model : undefined,
    config: agent_name === undefined || agent_name === JUDGE_NAME ? undefined : { agent_name },
    rubric,
  });
  const lines = listCriteria(config.assertions ?? config.criteria).map(
    ([key, text]) => `- ${key}: ${text.replaceAll("\n", " ")}\n`,
  );
  const notes = timeout === undefined ? [] : [`the timeout of \`${name}\` is left out`];
  const text = [...introduceRubric(config, context), ...lines].join("");
  return { entry: { id, judge }, texts: { [rubric]: text }, notes };
}

/** Instructions to the judge stand above the criteria; a list among them would be taken for some. */
function introduceRubric(
  { prompt, prompt_file }: JsonRecord,
  { readText }: ConversionContext,
): string[] {
  const text = typeof prompt_file === "string" ? readText(prompt_file) : prompt;
  if (typeof text !== "string") return [];
  return [`${text.trim().replaceAll(/^[-*](?=\s)/gm, "•")}\n\n`];
}

function listCriteria(value: unknown): [string, string][] {
  const given: [string, unknown][] = Array.isArray(value)
    ? value.map((text: unknown, at) => [`criterion ${at + 1}`, text])
    : Object.entries(asRecord(value));
  const ids = new Set<string>();
  return given.map(([key, text]) => {
    const id = idFrom(key.replaceAll("_", "-")).slice(0, 50);
    return [uniqueId(/^[a-z]/.test(id) ? id : `criterion-${id}`, ids), String(text)];
  });
}

// A youBencha test case as far as it is read here; what else it holds is said in a note.

const text = z.string().check(z.minLength(1));
const map = z.record(z.string(), z.unknown());

const script = z.object({
  command: text,
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
  timeout_ms: z.optional(z.number()),
  working_dir: z.optional(text),
});

const step = z.object({ name: text, config: z.optional(map) });

export const EVALUATOR_DEFINITION = z.object({ name: text, config: z.optional(map) });
export type EvaluatorDefinition = z.infer<typeof EVALUATOR_DEFINITION>;

export const SCRIPT = script;
export type Script = z.infer<typeof script>;

export const YOUBENCHA_CASE = z.object({
  name: text,
  description: z.optional(z.string()),
  repo: text,
  branch: z.optional(text),
  commit: z.optional(text),
  agent: z.object({
    type: text,
    agent_name: z.optional(text),
    model: z.optional(text),
    config: z.optional(map),
  }),
  expected: z.optional(text),
  evaluators: z.array(z.union([z.object({ file: text }), EVALUATOR_DEFINITION])),
  pre_execution: z.optional(z.array(step)),
  post_evaluation: z.optional(z.array(step)),
  timeout: z.optional(z.number()),
});
export type YoubenchaCase = z.infer<typeof YOUBENCHA_CASE>;
