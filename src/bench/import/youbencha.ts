// A youBencha test case → a suite of one case. Pure, but for reading the evaluators it names by file.
import { basename } from "node:path";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import { dropUndefined } from "../../core/project/json-value.ts";
import { type ImportedSuite, idFrom, quoteShellWord } from "./imported-suite.ts";
import {
  type ConvertedEvaluator,
  convertEvaluator,
  type EvaluatorDefinition,
  SCRIPT,
  type Script,
  type YoubenchaCase,
} from "./youbencha-evaluators.ts";

const AGENTS: Readonly<Record<string, string>> = {
  "copilot-cli": "copilot",
  "claude-code": "claude-code",
  "codex-cli": "codex",
};

/** The agents there are, and the files that a test case names, by their path there. */
export interface ImportSources {
  readonly adapters: readonly AgentAdapter[];
  readEvaluator(path: string): EvaluatorDefinition;
  readText(path: string): string;
}

export function convertYoubencha(given: YoubenchaCase, files: ImportSources): ImportedSuite {
  const notes: string[] = [];
  const agentOf = (type: string): string => {
    const agent = AGENTS[type] ?? type;
    if (files.adapters.some(({ name }) => name === agent)) return agent;
    notes.push(`agent \`${type}\` is not known here; claude-code stands in its place`);
    return "claude-code";
  };
  const ids = new Set<string>();
  const evaluators = given.evaluators.map((entry) =>
    convertEvaluator("file" in entry ? files.readEvaluator(entry.file) : entry, {
      expected: given.expected,
      agentOf,
      ids,
      readText: files.readText,
    }),
  );
  const id = idFrom(given.name);
  const variables = listVariables(given);
  if (variables.length > 0)
    notes.push(`${variables.join(", ")}: to be set in the environment, not in \`.youbencharc\``);
  return {
    name: id,
    description: given.description,
    variables,
    agents: [convertAgent(given, { agentOf, adapters: files.adapters, notes })],
    cases: [convertCase(given, { id, evaluators, notes })],
    post: (given.post_evaluation ?? []).flatMap((step) => convertPost(step, notes)),
    texts: Object.assign({}, ...evaluators.map(({ texts }) => texts)),
    copies: {},
    notes: [...notes, ...evaluators.flatMap((evaluator) => evaluator.notes)],
  };
}

/** `${NAME}` in what a suite fills in. */
function listVariables({ repo, branch, commit, expected, agent }: YoubenchaCase): string[] {
  const texts = [repo, branch, commit, expected, agent.model, agent.config?.prompt].join(" ");
  const names = [...texts.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = ""]) => name);
  return [...new Set(names)];
}

interface AgentImport {
  readonly agentOf: (type: string) => string;
  readonly adapters: readonly AgentAdapter[];
  readonly notes: string[];
}

function convertAgent(
  { agent: given }: YoubenchaCase,
  { agentOf, adapters, notes }: AgentImport,
): Record<string, unknown> {
  const { prompt: _, prompt_file: __, ...settings } = given.config ?? {};
  const agent = agentOf(given.type);
  const all = dropUndefined({ agent_name: given.agent_name, model: given.model, ...settings });
  const { model, ...config } = keepSettings(
    adapters.find(({ name }) => name === agent),
    all,
    notes,
  );
  return dropUndefined({
    agent,
    model,
    config: Object.keys(config).length === 0 ? undefined : config,
  });
}

/** Without those that the agent would refuse here. */
function keepSettings(
  adapter: AgentAdapter | undefined,
  settings: Readonly<Record<string, unknown>>,
  notes: string[],
): Record<string, unknown> {
  const context = { agentVersion: null, isRoot: false, env: {} };
  const check = adapter?.checkConfig({ ...settings, prompt: "any" }, context);
  const refused = new Map(
    (check?.kind === "invalid" ? check.problems : []).map(({ path, message }) => [
      path.split(/[.[]/, 1)[0],
      message,
    ]),
  );
  return Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => {
      const why = String(value).includes("${") ? undefined : refused.get(key);
      if (why !== undefined)
        notes.push(`setting \`${key}\` of the agent is left out: ${why.split(";", 1)[0]}`);
      return why === undefined;
    }),
  );
}

/** Where a prompt that lies in a file of its own goes. */
export const promptPath = (file: string): string => `prompts/${basename(file)}`;

interface CaseParts {
  readonly id: string;
  readonly evaluators: readonly ConvertedEvaluator[];
  readonly notes: string[];
}

function convertCase(
  given: YoubenchaCase,
  { id, evaluators, notes }: CaseParts,
): Record<string, unknown> {
  const { prompt, prompt_file } = given.agent.config ?? {};
  const setup = (given.pre_execution ?? []).flatMap(({ name, config }) => {
    const script = SCRIPT.safeParse(config);
    if (name === "script" && script.success) return [convertScript(script.data, given)];
    notes.push(`pre_execution \`${name}\` is left out`);
    return [];
  });
  return dropUndefined({
    id,
    workspace: dropUndefined({ git: given.repo, branch: given.branch, commit: given.commit }),
    prompt,
    prompt_file: typeof prompt_file === "string" ? promptPath(prompt_file) : undefined,
    setup: setup.length === 0 ? undefined : setup,
    evaluators: evaluators.flatMap(({ entry }) => (entry === null ? [] : [entry])),
    timeout: given.timeout === undefined ? undefined : `${Math.round(given.timeout)}ms`,
  });
}

/** What a script is told there; here a step runs in the workspace. */
const factsOf = ({ name, repo, branch = "" }: YoubenchaCase): Readonly<Record<string, string>> => ({
  WORKSPACE_DIR: ".",
  REPO_DIR: ".",
  TEST_CASE_NAME: name,
  REPO_URL: repo,
  BRANCH: branch,
});

function convertScript(
  { command, args = [], env = {}, timeout_ms, working_dir }: Script,
  given: YoubenchaCase,
) {
  const facts = factsOf(given);
  const fill = (word: string): string =>
    word.replaceAll(/\$\{?(\w+)\}?/g, (whole, name: string) => facts[name] ?? whole);
  // A script of the repository's own reads them from its environment.
  const folders = command.includes("/") ? { WORKSPACE_DIR: ".", REPO_DIR: "." } : {};
  const settings = Object.entries({ ...folders, ...env }).map(
    ([name, value]) => `${name}=${quoteShellWord(value)}`,
  );
  const words = [command, ...args].map((word) => quoteShellWord(fill(word)));
  const enter = working_dir === undefined ? [] : ["cd", quoteShellWord(fill(working_dir)), "&&"];
  const run = [...enter, ...settings, ...words].join(" ");
  return timeout_ms === undefined ? run : { run, timeout: `${Math.round(timeout_ms)}ms` };
}

function convertPost(
  { name, config = {} }: { name: string; config?: Record<string, unknown> | undefined },
  notes: string[],
): Record<string, unknown>[] {
  if (name === "webhook" && typeof config.url === "string") {
    if (config.headers !== undefined) notes.push("the headers of the webhook are left out");
    return [{ webhook: config.url }];
  }
  if (name === "database" && typeof config.output_path === "string")
    return [{ append: config.output_path }];
  const script = SCRIPT.safeParse(config);
  if (name === "script" && script.success) {
    const { args = [] } = script.data;
    if (args.some((word) => word.includes("${")))
      notes.push(
        "a script of post_evaluation gets the results on its standard input, no variables",
      );
    return [{ run: [script.data.command, ...args].map(quoteShellWord).join(" ") }];
  }
  notes.push(`post_evaluation \`${name}\` is left out`);
  return [];
}
