import { dropAbsent, idFrom } from "./imported-suite.ts";
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

function convertJudge(name: string, config: Config, place: ConversionPlace): ConvertedEvaluator {
  const criteria = listCriteria(config.assertions ?? config.criteria);
  const id = idFrom(name.replace(":", "-"));
  const rubric = `rubrics/${id}.md`;
  const judge = dropAbsent({
    agent: place.agentOf(String(config.type ?? "")),
    model: typeof config.model === "string" ? config.model : undefined,
    rubric,
  });
  const lines = criteria.map(([key, text]) => `- ${key}: ${text.replaceAll("\n", " ")}\n`);
  return { entry: { id, judge }, texts: { [rubric]: lines.join("") }, notes: [] };
}

function listCriteria(value: unknown): [string, string][] {
  if (Array.isArray(value))
    return value.map((text, at): [string, string] => [`criterion-${at + 1}`, String(text)]);
  return Object.entries(asMap(value)).map(([key, text]) => [
    key.replaceAll("_", "-"),
    String(text),
  ]);
}
