// A youBencha test case → a suite of one case. Pure, but for reading the evaluators it names by file.
import { basename } from "node:path";
import { ROSTER } from "../../agents/roster.ts";
import { dropAbsent, type ImportedSuite, idFrom, quoteWord } from "./imported-suite.ts";
import { type ConvertedEvaluator, convertEvaluator } from "./youbencha-evaluators.ts";
import {
  type EvaluatorDefinition,
  SCRIPT,
  type Script,
  type YoubenchaCase,
} from "./youbencha-schema.ts";

const AGENTS: Readonly<Record<string, string>> = {
  "copilot-cli": "copilot",
  "claude-code": "claude-code",
  "codex-cli": "codex",
};

const SETTINGS: ReadonlySet<string> = new Set([
  ...["system_prompt", "append_system_prompt", "permission_mode", "allowed_tools"],
  ...["disallowed_tools", "max_tokens", "temperature", "max_turns", "mcp_config", "add_dirs"],
]);

export function convertYoubencha(
  given: YoubenchaCase,
  readEvaluator: (file: string) => EvaluatorDefinition,
): ImportedSuite {
  const notes: string[] = [];
  const agentOf = (type: string): string => {
    const agent = AGENTS[type] ?? type;
    if (ROSTER.some(({ name }) => name === agent)) return agent;
    notes.push(`agent \`${type}\` is not known here; claude-code stands in its place`);
    return "claude-code";
  };
  const evaluators = given.evaluators.map((entry) =>
    convertEvaluator("file" in entry ? readEvaluator(entry.file) : entry, {
      expected: given.expected,
      agentOf,
    }),
  );
  const id = idFrom(given.name);
  return {
    name: id,
    agents: [convertAgent(given, { agentOf, notes })],
    cases: [convertCase(given, { id, evaluators, notes })],
    post: (given.post_evaluation ?? []).flatMap((step) => convertPost(step, notes)),
    texts: Object.assign({}, ...evaluators.map(({ texts }) => texts)),
    copies: {},
    notes: [...notes, ...evaluators.flatMap((evaluator) => evaluator.notes)],
  };
}

function convertAgent(
  { agent }: YoubenchaCase,
  { agentOf, notes }: { agentOf: (type: string) => string; notes: string[] },
): Record<string, unknown> {
  const { prompt: _, prompt_file: __, ...settings } = agent.config ?? {};
  const known = Object.entries(settings).filter(([key]) => SETTINGS.has(key));
  for (const key of Object.keys(settings))
    if (!SETTINGS.has(key)) notes.push(`setting \`${key}\` of the agent is left out`);
  const config = dropAbsent({ agent_name: agent.agent_name, ...Object.fromEntries(known) });
  return dropAbsent({
    agent: agentOf(agent.type),
    model: agent.model,
    config: Object.keys(config).length === 0 ? undefined : config,
  });
}

/** Where a prompt that lies in a file of its own goes. */
export const promptPlace = (file: string): string => `prompts/${basename(file)}`;

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
    if (name === "script" && script.success) return [convertScript(script.data)];
    notes.push(`pre_execution \`${name}\` is left out`);
    return [];
  });
  return dropAbsent({
    id,
    workspace: dropAbsent({ git: given.repo, branch: given.branch, commit: given.commit }),
    prompt,
    prompt_file: typeof prompt_file === "string" ? promptPlace(prompt_file) : undefined,
    setup: setup.length === 0 ? undefined : setup,
    evaluators: evaluators.flatMap(({ entry }) => (entry === null ? [] : [entry])),
    timeout: given.timeout === undefined ? undefined : `${Math.round(given.timeout)}ms`,
  });
}

/** There the workspace is a variable; here a step runs in it. */
const inWorkspace = (word: string): string => word.replaceAll(/\$\{?WORKSPACE_DIR\}?/g, ".");

function convertScript({ command, args = [], env = {}, timeout_ms }: Script) {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  const words = [command, ...args].map((word) => quoteWord(inWorkspace(word)));
  const run = [...settings, ...words].join(" ");
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
  if (name === "script" && script.success)
    return [{ run: [script.data.command, ...(script.data.args ?? [])].map(quoteWord).join(" ") }];
  notes.push(`post_evaluation \`${name}\` is left out`);
  return [];
}
