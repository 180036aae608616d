// suite.yaml → Suite: every mistake is a fault with its file, line and column.
import { dirname, relative, resolve } from "node:path";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import { parseDuration } from "../../core/command/time.ts";
import { describeFileError } from "../../core/project/files.ts";
import { findGlobPaths } from "../../core/project/find-paths.ts";
import { isGlob } from "../../core/project/glob.ts";
import { parseYaml, type YamlFile, type YamlPath } from "../../core/project/yaml-file.ts";
import { readAgent, readSandbox } from "./agents.ts";
import { readCase } from "./cases.ts";
import {
  checkBy,
  fillEntry,
  fillVariables,
  type LocatedEntry,
  locateEntries,
  type RawEntry,
  readUtf8,
  suiteFault,
} from "./entries.ts";
import type { EvaluatorTable } from "./evaluators.ts";
import { INCLUDED, SUITE, type SuiteEntry } from "./schema.ts";
import type { PostStep, Suite, SuiteAgent, SuiteCase, SuiteLimits } from "./suite.ts";

export interface LoadSuiteOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly evaluators: EvaluatorTable;
  readonly adapters: readonly AgentAdapter[];
}

const DEFAULT_TIMEOUT_MS = 600_000;

export function loadSuite(path: string, options: LoadSuiteOptions): Suite {
  const file = resolve(path);
  const folder = dirname(file);
  const yaml = parseYaml(
    readText(file, (problem) => suiteFault(`the suite ${problem}`, { file })),
    file,
  );
  const given = checkBy(SUITE, yaml.value, yaml.at);
  if (given.agent !== undefined && given.agents !== undefined)
    throw suiteFault("give `agent` or `agents`, not both", yaml.at(["agent"], "key"));
  const variables = readVariables(given, yaml, options.env);
  const included = readIncluded(given, yaml, file);
  const own = {
    yaml,
    given: { ...given, agents: agentEntries(given) },
    agentPath: agentPath(given),
  };
  const locate = (key: "agents" | "cases"): LocatedEntry[] =>
    [own, ...included].flatMap((source) =>
      locateEntries({
        yaml: source.yaml,
        pathOf: key === "agents" ? source.agentPath : listPath("cases"),
        entries: (source.given[key] ?? []).map((entry) => fillEntry(entry, variables)),
        matrix: { yaml, key: ["matrix", key], values: given.matrix?.[key] ?? {} },
      }),
    );
  const { evaluators, adapters } = options;
  const home = options.env.HOME;
  const usual = { adapters, home, sandbox: readSandbox(given, { folder, home }) };
  const agents = distinct(locate("agents"), (entry) => readAgent(entry, usual), "agent");
  const cases = distinct(
    locate("cases"),
    (entry) => readCase(entry, { evaluators, suiteFolder: folder }),
    "case",
  );
  if (agents.length === 0) throw suiteFault("the suite has no agents", yaml.at([]));
  if (cases.length === 0) throw suiteFault("the suite has no cases", yaml.at([]));
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
    throw complain(`cannot be read: ${describeFileError(error)}`);
  }
}

const agentEntries = (given: SuiteEntry): readonly RawEntry[] =>
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
  env: LoadSuiteOptions["env"],
): ReadonlyMap<string, string> {
  return new Map(
    variables.map((name, at): [string, string] => {
      const value = env[name];
      if (value === undefined)
        throw suiteFault(
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
    const complain = (problem: string) => suiteFault(problem, suite.at(["include", at]));
    const names = isGlob(pattern) ? [...findGlobPaths({ folder, pattern })].sort() : [pattern];
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
  entries: readonly LocatedEntry[],
  read: (entry: LocatedEntry) => Item,
  what: string,
): Item[] {
  const items = new Map<string, Item>();
  for (const entry of entries) {
    const item = read(entry);
    if (items.has(item.id))
      throw suiteFault(`${what} \`${item.id}\` is there twice`, entry.at(["id"]));
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
      throw suiteFault(
        "a post step is one of `webhook`, `append` and `run`",
        yaml.at(["post", at]),
      );
    if (webhook !== undefined) return { kind: "webhook", url: fill(webhook) };
    if (append !== undefined) return { kind: "append", file: resolve(folder, fill(append)) };
    return { kind: "run", command: run ?? "" };
  });
}
