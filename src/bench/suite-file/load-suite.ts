// suite.yaml → Suite: every mistake is a fault with its file, line and column.
import { globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseDuration } from "../../command/duration.ts";
import { problemOf } from "../../config/file-problem.ts";
import { parseYaml, type YamlFile, type YamlPath } from "../../config/yaml-file.ts";
import type { PostStep, Suite, SuiteAgent, SuiteCase, SuiteLimits } from "../suite.ts";
import type { Entry } from "./expand-matrix.ts";
import { fillVariables } from "./fill-variables.ts";
import { checkBy, invalid, type PlacedEntry, placeEntries } from "./placed-entry.ts";
import { readAgent } from "./read-agent.ts";
import { type EvaluatorTable, readCase } from "./read-case.ts";
import { INCLUDED, SUITE, type SuiteEntry } from "./suite-schema.ts";

export interface SuiteReading {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly evaluators: EvaluatorTable;
}

const DEFAULT_TIMEOUT_MS = 600_000;

export function loadSuite(path: string, reading: SuiteReading): Suite {
  const file = resolve(path);
  const yaml = parseYaml(readText(file), file);
  const given = checkBy(SUITE, yaml.value, yaml.at);
  const variables = readVariables(given, yaml, reading.env);
  const included = (given.include ?? []).flatMap((pattern, at) =>
    readIncluded(dirname(file), pattern, (problem) => invalid(problem, yaml.at(["include", at]))),
  );
  const own = {
    yaml,
    given: { ...given, agents: agentEntries(given) },
    agentPath: agentPath(given),
  };
  const place = (key: "agents" | "cases"): PlacedEntry[] =>
    [own, ...included].flatMap((source) =>
      placeEntries({
        yaml: source.yaml,
        pathOf: key === "agents" ? source.agentPath : listPath("cases"),
        entries: (source.given[key] ?? []).map((entry) => fillVariables(entry, variables) as Entry),
        matrix: { yaml, key: ["matrix", key], values: given.matrix?.[key] ?? {} },
      }),
    );
  const agents = distinct(place("agents"), readAgent, "agent");
  const cases = distinct(place("cases"), (entry) => readCase(entry, reading.evaluators), "case");
  if (agents.length === 0) throw invalid("the suite has no agents", yaml.at([]));
  if (cases.length === 0) throw invalid("the suite has no cases", yaml.at([]));
  return {
    name: given.name,
    file,
    folder: dirname(file),
    agents,
    cases,
    repeat: given.repeat ?? 1,
    limits: readLimits(given.limits),
    post: readPost(given, yaml, dirname(file)),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw invalid(`the suite cannot be read: ${problemOf(error)}`, { file });
  }
}

const agentEntries = (given: SuiteEntry): readonly Entry[] =>
  given.agent === undefined ? (given.agents ?? []) : [{ agent: given.agent }];

const listPath =
  (key: string) =>
  (index: number): YamlPath => [key, index];

/** A single `agent: { type, config }` is an entry of no list. */
const agentPath = (given: SuiteEntry): ((index: number) => YamlPath) =>
  given.agent === undefined ? listPath("agents") : () => [];

function readVariables(
  { variables = [] }: SuiteEntry,
  yaml: YamlFile,
  env: SuiteReading["env"],
): ReadonlyMap<string, string> {
  return new Map(
    variables.map((name, at): [string, string] => {
      const value = env[name];
      if (value === undefined)
        throw invalid(
          `the environment has no \`${name}\``,
          yaml.at(["variables", at]),
          `set it, or take it out of \`variables\``,
        );
      return [name, value];
    }),
  );
}

function readIncluded(folder: string, pattern: string, complain: (problem: string) => Error) {
  const isPattern = /[*?[{]/.test(pattern);
  const files = isPattern ? globSync(pattern, { cwd: folder }).toSorted() : [pattern];
  if (files.length === 0) throw complain(`\`${pattern}\` matches no file`);
  return files.map((name) => {
    const file = resolve(folder, name);
    const yaml = parseYaml(readText(file), file);
    return { yaml, given: checkBy(INCLUDED, yaml.value, yaml.at), agentPath: listPath("agents") };
  });
}

function distinct<Item extends SuiteAgent | SuiteCase>(
  entries: readonly PlacedEntry[],
  read: (entry: PlacedEntry) => Item,
  what: string,
): Item[] {
  const items = new Map<string, Item>();
  for (const entry of entries) {
    const item = read(entry);
    if (items.has(item.id))
      throw invalid(`${what} \`${item.id}\` is there twice`, entry.at(["id"]));
    items.set(item.id, item);
  }
  return [...items.values()];
}

const readLimits = (limits: SuiteEntry["limits"]): SuiteLimits => ({
  timeoutMs: parseDuration(limits?.timeout ?? "") ?? DEFAULT_TIMEOUT_MS,
  usd: limits?.usd ?? null,
  concurrency: limits?.concurrency ?? 2,
  infraRetries: limits?.infra_retries ?? 2,
});

function readPost({ post = [] }: SuiteEntry, yaml: YamlFile, folder: string): PostStep[] {
  return post.map(({ webhook, append, run }, at) => {
    const given = [webhook, append, run].filter((value) => value !== undefined);
    if (given.length !== 1)
      throw invalid("a post step is one of `webhook`, `append` and `run`", yaml.at(["post", at]));
    if (webhook !== undefined) return { kind: "webhook", url: webhook };
    if (append !== undefined) return { kind: "append", file: resolve(folder, append) };
    return { kind: "run", command: run ?? "" };
  });
}
