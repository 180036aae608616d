// An agent of a suite: its settings, checked, and the files they name.

import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { agentNameOf, nearestAgents } from "../../agents/roster.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import { quoteNames, suggestNames } from "../../core/command/names.ts";
import { fileFault } from "../../core/project/schema-problem.ts";
import type { YamlPath } from "../../core/project/yaml-file.ts";
import { checkBy, checkFilled, type LocatedEntry, ProblemList } from "./entries.ts";
import { AGENT, type AgentEntry } from "./schema.ts";
import type { AgentSandbox, SuiteAgent } from "./suite.ts";

export interface ReadAgentOptions {
  readonly adapters: readonly AgentAdapter[];
  /** What counts for agents that say nothing else. */
  readonly sandbox: AgentSandbox;
  readonly home: string | undefined;
}

export function readAgent(
  { entry, label, at }: LocatedEntry,
  { adapters, sandbox, home }: ReadAgentOptions,
): SuiteAgent {
  const given = checkBy(AGENT, entry, at);
  checkFilled({ model: given.model }, (key) => at([key]));
  const { type: named, config } =
    typeof given.agent === "string" ? { type: given.agent, config: {} } : given.agent;
  const type = agentNameOf(named);
  const adapter = adapters.find(({ name }) => name === type);
  if (adapter === undefined)
    throw unknownAgent(given, { type, names: adapters.map(({ name }) => name) }, at);
  const settings: Config = {
    ...config,
    ...given.config,
    ...(given.model === undefined ? {} : { model: given.model }),
  };
  const folder = dirname(at([]).file);
  const placeOf = (path: string) => at(yamlPathOf(path, given), "key");
  const problems = new ProblemList();
  problems.attempt(() => checkSettings(adapter, settings, placeOf));
  problems.attempt(() => checkProgram(settings.argv, folder, placeOf));
  problems.throwFirst();
  const id = given.id ?? type;
  return {
    id: label === "" ? id : `${id}[${label}]`,
    agent: type,
    config: resolveAgentFiles(settings, folder),
    concurrency: given.concurrency ?? null,
    ratePerMinute: given.rate_per_minute ?? null,
    sandbox: readSandbox(given, { folder, home, usual: sandbox }),
  };
}

export const OPEN_SANDBOX: AgentSandbox = { kind: null, network: true, mounts: [], missing: null };

/** What an entry says about the sandbox, over what is usual around it. */
export const readSandbox = (
  { sandbox, network, mounts = [] }: Pick<AgentEntry, "sandbox" | "network" | "mounts">,
  {
    folder,
    home = "/",
    usual = OPEN_SANDBOX,
  }: { folder: string; home?: string | undefined; usual?: AgentSandbox },
): AgentSandbox => ({
  kind: sandbox ?? usual.kind,
  network: network === undefined ? usual.network : network === "on",
  mounts: [
    ...usual.mounts,
    ...mounts.map((path) =>
      path.startsWith("~/") ? resolve(home, path.slice(2)) : resolve(folder, path),
    ),
  ],
  missing: null,
});

function unknownAgent(
  { agent }: AgentEntry,
  { type, names }: { readonly type: string; readonly names: readonly string[] },
  at: LocatedEntry["at"],
): Error {
  const nearest = nearestAgents(type, names).slice(0, 1);
  return fileFault(
    `unknown agent \`${type}\`${suggestNames(nearest)}`,
    at(typeof agent === "string" ? ["agent"] : ["agent", "type"]),
    nearest.length === 0 ? `known are ${quoteNames(names)}` : null,
  );
}

/** As far as it can be told without the agent's program. */
function checkSettings(
  adapter: AgentAdapter,
  settings: Readonly<Record<string, unknown>>,
  at: (path: string) => ReturnType<LocatedEntry["at"]>,
): void {
  const own = ["prompt", "prompt_file"].find((name) => settings[name] !== undefined);
  if (own !== undefined) throw fileFault(`\`${own}\` belongs to a case`, at(own));
  const context = { agentVersion: null, isRoot: false, env: {} };
  const check = adapter.checkConfig({ ...settings, prompt: "any" }, context);
  const problems = new ProblemList();
  for (const { path, message } of check.kind === "invalid" ? check.problems : [])
    problems.add(fileFault(`\`${path}\`: ${message}`, at(path)));
  problems.throwFirst();
}

/** Files that an `argv` names lie where the suite says, and its program can be run. */
function checkProgram(
  argv: unknown,
  folder: string,
  at: (path: string) => ReturnType<LocatedEntry["at"]>,
): void {
  const problems = new ProblemList();
  for (const [index, word] of (Array.isArray(argv) ? argv : []).entries()) {
    if (!isBesideSuite(word, index) || word.includes(CASE_MARK)) continue;
    const stat = statSync(resolve(folder, word), { throwIfNoEntry: false });
    const what =
      stat === undefined
        ? `there is no \`${word}\` beside the suite`
        : index === 0 && !(stat.isFile() && (stat.mode & 0o111) !== 0)
          ? `\`${word}\` is not an executable file; \`chmod +x\` it`
          : null;
    if (what !== null) problems.add(fileFault(`\`argv\`: ${what}`, at("argv")));
  }
  problems.throwFirst();
}

/** Where a setting is written that an adapter calls `allowed_tools[2]`. */
function yamlPathOf(path: string, { agent, model, config = {} }: AgentEntry): YamlPath {
  const steps = path.split(/[.[\]]+/).filter(Boolean);
  const [first = ""] = steps;
  if (first === "model" && model !== undefined) return ["model"];
  const isInside = typeof agent !== "string" && !(first in config);
  return [...(isInside ? ["agent", "config"] : ["config"]), ...steps];
}

// Settings of an agent that name a file: they are read from the suite's folder, belong to the fingerprint, and travel.

type Config = Readonly<Record<string, unknown>>;

const FILE_FIELDS = ["cassette", "mcp_config", "settings"] as const;
/** In any text of an agent's settings: a cassette for each case, say. */
const CASE_MARK = `\${case}`;

/** Not JSON, and not the bare name of something that is built in. */
const isPath = (value: unknown): value is string =>
  typeof value === "string" && /[./]/.test(value) && !/^\s*[{[]/.test(value);

/** The configuration with absolute paths of the files it names. */
export function resolveAgentFiles(config: Config, folder: string): Config {
  const placed = FILE_FIELDS.flatMap((name): [string, string][] => {
    const value = config[name];
    return isPath(value) ? [[name, resolve(folder, value)]] : [];
  });
  const { argv } = config;
  const words = Array.isArray(argv)
    ? {
        argv: argv.map((word, index) =>
          isBesideSuite(word, index) ? resolve(folder, word) : word,
        ),
      }
    : {};
  return { ...config, ...words, ...Object.fromEntries(placed) };
}

/**
 * `./agent.sh` of an `argv` is a file beside the suite, for the agent works elsewhere, and so is the program where it is any
 * path; any other word is the program's.
 */
const isBesideSuite = (word: unknown, index: number): word is string =>
  typeof word === "string" && (index === 0 ? word.includes("/") : /^\.\.?\//.test(word));

/** As they are written there. */
export const listAgentFiles = (config: Config): string[] =>
  FILE_FIELDS.map((name) => config[name]).filter(isPath);

/** The settings as they are for one case. */
export function fillCase(config: Config, caseId: string): Config {
  const fill = (_: string, value: unknown): unknown =>
    typeof value === "string" ? value.replaceAll(CASE_MARK, caseId) : value;
  return JSON.parse(JSON.stringify(config, fill));
}
