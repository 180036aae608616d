// suite.yaml → Suite: every mistake is a fault with its file, line and column.
import { dirname, relative, resolve } from "node:path";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import { parseDuration } from "../../core/command/time.ts";
import { describeFileError } from "../../core/project/files.ts";
import { findGlobPaths } from "../../core/project/find-paths.ts";
import { isGlob } from "../../core/project/glob.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { fileFault } from "../../core/project/schema-problem.ts";
import { parseYaml, type YamlFile, type YamlPath } from "../../core/project/yaml-file.ts";
import { readAgent, readSandbox } from "./agents.ts";
import { readCase } from "./cases.ts";
import {
  checkBy,
  fillEntry,
  fillVariables,
  type LocatedEntry,
  locateEntries,
  ProblemList,
  type RawEntry,
  readUtf8,
} from "./entries.ts";
import type { EvaluatorTable } from "./evaluators.ts";
import { expandRows } from "./rows.ts";
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
    readText(file, (problem) => fileFault(`the suite ${problem}`, { file })),
    file,
  );
  const problems = new ProblemList();
  const given = readGiven(yaml, problems);
  if (given.agent !== undefined && given.agents !== undefined)
    throw fileFault("give `agent` or `agents`, not both", yaml.at(["agent"], "key"));
  const variables = readVariables(given, yaml, options.env);
  const included = readIncluded(given, yaml, file);
  const own = {
    yaml,
    given: { ...given, agents: agentEntries(given) },
    agentPath: agentPath(given),
  };
  const locate = (key: EntryKey): LocatedEntry[] => {
    const matrix = { yaml, key: ["matrix", key], values: given.matrix?.[key] ?? {} };
    const reading = { variables, problems, matrix };
    const read = () => [own, ...included].flatMap((source) => locateSource(key, source, reading));
    return problems.attempt(read) ?? [];
  };
  const { evaluators, adapters } = options;
  const home = options.env.HOME;
  const usual = { adapters, home, sandbox: readSandbox(given, { folder, home }) };
  const agents = distinct(locate("agents"), problems, {
    read: (entry) => readAgent(entry, usual),
    what: "agent",
  });
  const cases = distinct(locate("cases"), problems, {
    read: (entry) => readCase(entry, { evaluators, suiteFolder: folder }),
    what: "case",
  });
  const post = problems.attempt(() => readPost(given, yaml, { folder, variables })) ?? [];
  // Those that are there and cannot be read are told above.
  if (!problems.hasAny) {
    if (agents.length === 0) problems.add(fileFault("the suite has no agents", yaml.at([])));
    if (cases.length === 0) problems.add(fileFault("the suite has no cases", yaml.at([])));
  }
  problems.throwFirst();
  return {
    name: given.name,
    file,
    folder,
    agents,
    cases,
    repeat: given.repeat ?? 1,
    limits: readLimits(given.limits),
    post,
  };
}

/** What makes agents and cases; they are looked at also where something else in the file is wrong. */
const ENTRY_KEYS = ["name", "agent", "agents", "cases", "include", "variables", "matrix"];

function readGiven(yaml: YamlFile, problems: ProblemList): SuiteEntry {
  const given = problems.attempt(() => checkBy(SUITE, yaml.value, yaml.at));
  if (given !== null) return given;
  const parts = Object.entries(asRecord(yaml.value)).filter(([key]) => ENTRY_KEYS.includes(key));
  const rest = SUITE.safeParse(Object.fromEntries(parts));
  if (!rest.success) problems.throwFirst();
  return checkBy(SUITE, Object.fromEntries(parts), yaml.at);
}

/** A file with agents and cases: the suite itself, or one that it includes. */
interface EntrySource {
  readonly yaml: YamlFile;
  readonly given: { readonly [key in EntryKey]?: readonly RawEntry[] | undefined };
  readonly agentPath: (index: number) => YamlPath;
}

type EntryKey = "agents" | "cases";

interface EntryReading {
  readonly variables: ReadonlyMap<string, string>;
  readonly problems: ProblemList;
  readonly matrix: Parameters<typeof locateEntries>[0]["matrix"];
}

/** Every entry with the place where it is written; one from a table has as many as there are rows. */
function locateSource(
  key: EntryKey,
  { yaml, given, agentPath: pathOfAgent }: EntrySource,
  { variables, problems, matrix }: EntryReading,
): LocatedEntry[] {
  const pathOf = key === "agents" ? pathOfAgent : listPath("cases");
  const folder = dirname(yaml.at([]).file);
  const placed = (given[key] ?? []).flatMap((entry, at) => {
    const complain = (problem: string) => fileFault(problem, yaml.at([...pathOf(at), "from"]));
    const read = () =>
      key === "cases"
        ? expandRows(entry, { folder, variables, matrix: matrix.values, complain })
        : [fillEntry(entry, variables)];
    return (problems.attempt(read) ?? []).map((one) => ({ entry: one, at }));
  });
  return locateEntries({
    yaml,
    pathOf: (index) => pathOf(placed[index]?.at ?? index),
    entries: placed.map(({ entry }) => entry),
    matrix,
  });
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
        throw fileFault(
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
    const complain = (problem: string) => fileFault(problem, suite.at(["include", at]));
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
  problems: ProblemList,
  { read, what }: { readonly read: (entry: LocatedEntry) => Item; readonly what: string },
): Item[] {
  const items: Item[] = [];
  const ids = new Set<string>();
  for (const entry of entries) {
    const item = problems.attempt(() => read(entry));
    const id = item?.id ?? writtenId(entry);
    if (id !== null && ids.has(id))
      problems.add(fileFault(`${what} \`${id}\` is there twice`, entry.at(["id"])));
    if (id !== null) ids.add(id);
    if (item !== null) items.push(item);
  }
  return items;
}

/** Also of an entry with a mistake in it: that its name is taken is another one. */
const writtenId = ({ entry: { id }, label }: LocatedEntry): string | null => {
  if (typeof id !== "string") return null;
  return label === "" ? id : `${id}[${label}]`;
};

const readLimits = (limits: SuiteEntry["limits"]): SuiteLimits => ({
  timeoutMs: parseDuration(limits?.timeout ?? "") ?? DEFAULT_TIMEOUT_MS,
  usd: limits?.usd ?? null,
  usdPerTrial: limits?.usd_per_trial ?? null,
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
      throw fileFault("a post step is one of `webhook`, `append` and `run`", yaml.at(["post", at]));
    if (webhook !== undefined) return { kind: "webhook", url: fill(webhook) };
    if (append !== undefined) return { kind: "append", file: resolve(folder, fill(append)) };
    return { kind: "run", command: run ?? "" };
  });
}
