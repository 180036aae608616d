import { dropAbsent, idFrom, uniqueId } from "./imported-suite.ts";
import type { EvaluatorDefinition } from "./youbencha-schema.ts";

export interface ConvertedEvaluator {
  /** Null where there is no such thing here. */
  readonly entry: Readonly<Record<string, unknown>> | null;
  readonly texts: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

export interface ConversionPlace {
  readonly expected: string | undefined;
  agentOf(type: string): string;
  /** Ids of evaluators before this one. */
  readonly ids: Set<string>;
  /** A file that the test case names. */
  readText(path: string): string;
}

export function convertEvaluator(
  { name, config = {} }: EvaluatorDefinition,
  place: ConversionPlace,
): ConvertedEvaluator {
  if (name === "git-diff") return convertDiff(config);
  if (name === "expected-diff") return convertExpected(config, place);
  if (name.startsWith("agentic-judge")) return convertJudge(name, config, place);
  return { entry: null, texts: {}, notes: [`evaluator \`${name}\` is not known here`] };
}

type Config = Readonly<Record<string, unknown>>;

const asMap = (value: unknown): Config =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
const asNumber = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

const SAME = ["max_files_changed", "max_lines_added", "max_lines_removed"];

function convertDiff(config: Config): ConvertedEvaluator {
  const { min_change_entropy, max_change_entropy, ...limits } = asMap(config.assertions);
  const entropy = dropAbsent({
    min: asNumber(min_change_entropy),
    max: asNumber(max_change_entropy),
  });
  const kept = SAME.map((name): [string, unknown] => [name, asNumber(limits[name])]);
  const diff = {
    ...dropAbsent(Object.fromEntries(kept)),
    ...(Object.keys(entropy).length === 0 ? {} : { entropy }),
  };
  const lost = Object.keys(limits).filter((name) => !SAME.includes(name));
  const notes = lost.map((name) => `\`${name}\` of git-diff has no counterpart`);
  return { entry: { diff }, texts: {}, notes };
}

/** As youBencha has it. */
const DEFAULT_SIMILARITY = 0.8;

function convertExpected(config: Config, { expected }: ConversionPlace): ConvertedEvaluator {
  if (expected === undefined)
    return { entry: null, texts: {}, notes: ["expected-diff without `expected` is left out"] };
  const similarity = asNumber(config.threshold) ?? DEFAULT_SIMILARITY;
  return { entry: { expected: { branch: expected, similarity } }, texts: {}, notes: [] };
}

/** Of youBencha's own judge; any other would be an agent that the user has described. */
const JUDGE_NAME = "agentic-judge";

function convertJudge(name: string, config: Config, place: ConversionPlace): ConvertedEvaluator {
  const id = uniqueId(name.replace(":", "-"), place.ids);
  const rubric = `rubrics/${id}.md`;
  const { agent_name, timeout } = config;
  const judge = dropAbsent({
    agent: place.agentOf(String(config.type ?? "")),
    model: typeof config.model === "string" ? config.model : undefined,
    config: agent_name === undefined || agent_name === JUDGE_NAME ? undefined : { agent_name },
    rubric,
  });
  const lines = listCriteria(config.assertions ?? config.criteria).map(
    ([key, text]) => `- ${key}: ${text.replaceAll("\n", " ")}\n`,
  );
  const notes = timeout === undefined ? [] : [`the timeout of \`${name}\` is left out`];
  const text = [...introduceRubric(config, place), ...lines].join("");
  return { entry: { id, judge }, texts: { [rubric]: text }, notes };
}

/** Instructions to the judge stand above the criteria; a list among them would be taken for some. */
function introduceRubric({ prompt, prompt_file }: Config, { readText }: ConversionPlace): string[] {
  const text = typeof prompt_file === "string" ? readText(prompt_file) : prompt;
  if (typeof text !== "string") return [];
  return [`${text.trim().replaceAll(/^[-*](?=\s)/gm, "•")}\n\n`];
}

function listCriteria(value: unknown): [string, string][] {
  const given: [string, unknown][] = Array.isArray(value)
    ? value.map((text: unknown, at) => [`criterion ${at + 1}`, text])
    : Object.entries(asMap(value));
  const ids = new Set<string>();
  return given.map(([key, text]) => {
    const id = idFrom(key.replaceAll("_", "-")).slice(0, 50);
    return [uniqueId(/^[a-z]/.test(id) ? id : `criterion-${id}`, ids), String(text)];
  });
}
