// suite.yaml → Suite: every mistake is a fault with its file, line and column.
import { globSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { parseDuration } from "../../command/duration.ts";
import { problemOf } from "../../config/file-problem.ts";
import { parseYaml, type YamlFile, type YamlPath } from "../../config/yaml-file.ts";
import type { PostStep, Suite, SuiteAgent, SuiteCase, SuiteLimits } from "../suite.ts";
import type { Entry } from "./expand-matrix.ts";
import { fillVariables } from "./fill-variables.ts";
import { checkBy, invalid, type PlacedEntry, placeEntries } from "./placed-entry.ts";
import { readAgent } from "./read-agent.ts";
import { readCase } from "./read-case.ts";
import type { EvaluatorTable } from "./read-evaluators.ts";
import { readUtf8 } from "./read-utf8.ts";
import { INCLUDED, SUITE, type SuiteEntry } from "./suite-schema.ts";

export interface SuiteReading {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly evaluators: EvaluatorTable;
}

const DEFAULT_TIMEOUT_MS = 600_000;

export function loadSuite(path: string, reading: SuiteReading): Suite {
  const file = resolve(path);
  const folder = dirname(file);
  const yaml = parseYaml(
    readText(file, (problem) => invalid(`the suite ${problem}`, { file })),
    file,
  );
  const given = checkBy(SUITE, yaml.value, yaml.at);
  if (given.agent !== undefined && given.agents !== undefined)
    throw invalid("give `agent` or `agents`, not both", yaml.at(["agent"], "key"));
  const variables = readVariables(given, yaml, reading.env);
  const included = readIncluded(given, yaml, file);
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
  const { evaluators } = reading;
  const cases = distinct(
    place("cases"),
    (entry) => readCase(entry, { evaluators, suiteFolder: folder }),
    "case",
  );
  if (agents.length === 0) throw invalid("the suite has no agents", yaml.at([]));
  if (cases.length === 0) throw invalid("the suite has no cases", yaml.at([]));
  return {
    name: given.name,
    file,
    folder,
    agents,
    cases,
    repeat: given.repeat ?? 1,
    limits: readLimits(given.limits),
    post: readPost(given, yaml, { folder, variables }),
  };
}

function readText(file: string, complain: (problem: string) => Error): string {
  try {
    return readUtf8(file);
  } catch (error) {
    throw complain(`cannot be read: ${problemOf(error)}`);
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

function readIncluded({ include = [] }: SuiteEntry, suite: YamlFile, suiteFile: string) {
  const folder = dirname(suiteFile);
  const named = include.flatMap((pattern, at) => {
    const complain = (problem: string) => invalid(problem, suite.at(["include", at]));
    const names = /[*?[{]/.test(pattern)
      ? globSync(pattern, { cwd: folder }).toSorted()
      : [pattern];
    // A pattern such as `*.yaml` may well match the suite that it stands in.
    const files = names.map((name) => resolve(folder, name)).filter((file) => file !== suiteFile);
    if (files.length === 0) throw complain(`\`${pattern}\` matches no other file`);
    return files.map((file): [string, typeof complain] => [file, complain]);
  });
  return [...new Map(named)].map(([file, complain]) => {
    const text = readText(file, (problem) => complain(`\`${relative(folder, file)}\` ${problem}`));
    const yaml = parseYaml(text, file);
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

function readPost(
  { post = [] }: SuiteEntry,
  yaml: YamlFile,
  { folder, variables }: { folder: string; variables: ReadonlyMap<string, string> },
): PostStep[] {
  const fill = (text: string): string => String(fillVariables(text, variables));
  return post.map(({ webhook, append, run }, at) => {
    const given = [webhook, append, run].filter((value) => value !== undefined);
    if (given.length !== 1)
      throw invalid("a post step is one of `webhook`, `append` and `run`", yaml.at(["post", at]));
    if (webhook !== undefined) return { kind: "webhook", url: fill(webhook) };
    if (append !== undefined) return { kind: "append", file: resolve(folder, fill(append)) };
    return { kind: "run", command: run ?? "" };
  });
}
