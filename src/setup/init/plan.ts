// What `adj init` would do here, decided by looking alone: each act is one that the other commands do, asked for dry.
import { existsSync } from "node:fs";
import { join, parse } from "node:path";
import {
  type FoundAgent,
  findAgents,
  installContextOf,
} from "../../agents/commands/install-target.ts";
import { asList, asText } from "../../agents/log/json-fields.ts";
import { requireInstaller } from "../../agents/roster.ts";
import type { InstallContext } from "../../agents/steps/installer.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { isCommandName, PROGRAM_WORDS, resolveCommand } from "../../core/command/registry.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { hasYamlCommand } from "../../core/commands/new/yaml-command.ts";
import { listFolder, readText } from "../../core/project/files.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { inspectGuards } from "../../core/project/trust/guards.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import { installFor } from "../../hooks/commands/install-hooks.ts";
import { listGuardedSteps } from "../../hooks/install/coverage.ts";
import { areHooksInstalled, lookAtHooks } from "../../hooks/install/look.ts";
import { loadHookSet } from "../../hooks/pipeline/set.ts";
import { importCommands } from "../../markdown/commands/import-commands.ts";
import { type HookAct, planHooks } from "./hooks.ts";
import { planSchemas, type SchemaAct } from "./schemas.ts";
import { type ProjectScript, SCRIPT_FILES } from "./scripts.ts";
import { describeServers, listAgentWorkflows, type ShowPath } from "./surroundings.ts";

export type InitAct =
  | { readonly kind: "import"; readonly name: string; readonly from: string; readonly file: string }
  | {
      readonly kind: "command";
      readonly name: string;
      readonly script: ProjectScript;
      /** The file that has the script; trust holds it as well. */
      readonly source: string;
      readonly file: string;
    }
  | { readonly kind: "guard"; readonly file: string }
  | HookAct
  | SchemaAct
  | { readonly kind: "install"; readonly agent: string; readonly file: string };

export interface InitPlan {
  readonly agents: readonly FoundAgent[];
  readonly acts: readonly InitAct[];
  /** What is there and stays as it is, a line each. */
  readonly notes: readonly string[];
  /** What to do about that. */
  readonly advice: readonly string[];
  /** One yes is enough for trust too: nothing would count by it that is not shown. */
  readonly mayTrust: boolean;
  /** What else would count by trust, for which it is a question of its own; null where there is nothing. */
  readonly beside: string | null;
}

interface PlanRequest {
  readonly context: CommandContext;
  readonly program: Program;
  readonly show: ShowPath;
  /** The kinds of acts that are not wanted. */
  readonly without: ReadonlySet<InitAct["kind"]>;
}

export async function planInit({
  context,
  program,
  show,
  without,
}: PlanRequest): Promise<InitPlan> {
  const isWanted = ({ kind }: InitAct): boolean => !without.has(kind);
  const target = installContextOf(context, program);
  const agents = (await findAgents(context, program)).filter(({ isFound }) => isFound);
  const imports = await planImports("project", context, program);
  const scripts = await planScripts(imports.acts, program, show);
  const guard = join(program.root, LAYER_FOLDER, "hooks.yaml");
  const own = await planImports("user", context, program);
  const hooks = await planHooks({ ...target, configDir: program.configDir }, show);
  const servers = await describeServers(target, show);
  const workflows = listAgentWorkflows(target);
  const made = [
    ...imports.acts,
    ...scripts.acts,
    ...(existsSync(guard) ? [] : [{ kind: "guard", file: guard } as const]),
    ...hooks.acts,
  ].filter(isWanted);
  const fresh = made.map(({ file }) => file).filter((file) => !existsSync(file));
  const schemas = await planSchemas(program.root, new Set(fresh));
  const written = [...made, ...schemas.filter(isWanted)];
  const isAsked = context.isInteractive && !context.isAgreed && written.length > 0;
  const beside = await findBeside(program, workflows.map(show));
  const mayTrust = isAsked && beside === null;
  const willGuard = mayTrust && made.some(({ kind }) => kind === "guard");
  const installs = await planInstalls(agents, willGuard, { context, program });
  return {
    agents,
    acts: [...written, ...installs.filter(isWanted)],
    notes: [
      ...imports.problems.map((problem) => `skipped  ${problem}`),
      ...scripts.problems,
      ...hooks.notes,
      ...servers,
      ...workflows.map((file) => `workflow ${show(file)}`),
    ],
    advice: [
      ...(own.acts.length === 0
        ? []
        : [`\`adj import --user\` takes in ${countCommands(own.acts.length)} of your home`]),
      ...adviseOnOthers({ hooks: hooks.notes, servers, workflows }),
    ],
    mayTrust,
    beside,
  };
}

interface FoundOfOthers {
  readonly hooks: readonly string[];
  readonly servers: readonly string[];
  readonly workflows: readonly string[];
}

/** What to do about that which others put here and which stays as it is. */
const adviseOnOthers = ({ hooks, servers, workflows }: FoundOfOthers): string[] => [
  ...(hooks.length === 0
    ? []
    : ["hooks of others go on beside ours; a rule in `hooks.yaml` runs one on every agent"]),
  ...(servers.length === 0 ? [] : ["`adj mcp wrap -- SERVER …` puts a server behind the hooks"]),
  ...workflows
    .slice(0, 1)
    .map((file) => `\`adj workflow run ${parse(file).name}\` runs a workflow on any agent`),
];

async function findBeside(
  { root, stateDir }: Program,
  workflows: readonly string[],
): Promise<string | null> {
  const { kind } = await inspectGuards(root, stateDir);
  if (kind === "trusted") return null;
  if (kind !== "none") return `what lay in \`${LAYER_FOLDER}\` before`;
  const [first] = workflows;
  return first === undefined ? null : `the workflow ${first}`;
}

const countCommands = (count: number): string => `${count} custom command${count === 1 ? "" : "s"}`;

// The agents' own commands, as `adj import` would take them in.

type ImportAct = Extract<InitAct, { kind: "import" }>;

async function planImports(
  scope: "project" | "user",
  context: CommandContext,
  program: Program,
): Promise<{ readonly acts: readonly ImportAct[]; readonly problems: readonly string[] }> {
  const result = await importCommands(importArguments(scope, true), context, program);
  const folder = scope === "project" ? join(program.root, LAYER_FOLDER) : program.configDir;
  const files = reportsOf(result, "files");
  return {
    acts: files.flatMap(({ did, name, file }): ImportAct[] => {
      const [given, from] = [asText(name), asText(file)];
      if (did !== "created" || given === null || from === null) return [];
      return [{ kind: "import", name: given, from, file: join(folder, "commands", `${given}.md`) }];
    }),
    problems: files.flatMap(({ did, file, problems }) =>
      did === "skipped" ? asList(problems).map((one) => `${file}: ${one}`) : [],
    ),
  };
}

export const importArguments = (scope: "project" | "user", dryRun: boolean) => ({
  agents: [],
  user: scope === "user",
  project: scope === "project",
  force: false,
  dryRun,
});

/** What a command says of each thing it dealt with. */
export const reportsOf = (
  { metadata }: CommandResult,
  key: string,
): Readonly<Record<string, unknown>>[] => asList(metadata?.[key]).map(asRecord);

// Scripts of the project as commands.

type CommandAct = Extract<InitAct, { kind: "command" }>;

async function planScripts(imports: readonly ImportAct[], program: Program, show: ShowPath) {
  const folder = join(program.root, LAYER_FOLDER);
  const file = join(folder, "commands.yaml");
  const { scripts, problems } = readProjectScripts(program.root, show);
  const given = new Set(imports.map(({ name }) => name));
  const layers = await program.layers();
  const files = new Set(listFolder(join(folder, "commands")).map((name) => name.split(".")[0]));
  const acts: CommandAct[] = [];
  const isThere = async (name: string): Promise<boolean> =>
    files.has(name) || (await hasYamlCommand({ folder, name }));
  const isFree = (name: string): boolean =>
    isCommandName(name) &&
    !given.has(name) &&
    !PROGRAM_WORDS.has(name) &&
    resolveCommand(layers, name).kind === "unknown";
  for (const { script, source } of scripts) {
    const { name, otherName } = script;
    if ((await isThere(name)) || (await isThere(otherName))) continue;
    const free = [name, otherName].find(isFree);
    if (free === undefined) continue;
    given.add(free);
    acts.push({ kind: "command", name: free, script, source, file });
  }
  return { acts, problems };
}

function readProjectScripts(root: string, show: ShowPath) {
  const scripts: { readonly script: ProjectScript; readonly source: string }[] = [];
  const problems: string[] = [];
  const beside = listFolder(root);
  for (const { names, read } of SCRIPT_FILES) {
    const source = names.map((name) => join(root, name)).find((path) => existsSync(path));
    if (source === undefined) continue;
    try {
      scripts.push(...read(readText(source) ?? "", beside).map((script) => ({ script, source })));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      problems.push(`skipped  ${show(source)} cannot be read: ${plainLine(error.message)}`);
    }
  }
  return { scripts, problems };
}

// Hooks of ours in the agents' own files, as `adj install` would write them.

/**
 * Entries that are there are written anew only for guards: those of a person count in every project, and without a
 * guard here they would be made to fail open for the others.
 */
async function planInstalls(
  agents: readonly FoundAgent[],
  willGuard: boolean,
  { context, program }: { readonly context: CommandContext; readonly program: Program },
): Promise<InitAct[]> {
  const target = installContextOf(context, program);
  const names = await listWritable(agents, target);
  if (names.length === 0) return [];
  const set = await loadHookSet({ paths: program, root: program.root });
  const isGuarded = listGuardedSteps(set).size > 0;
  const result = await installFor(installArguments(names, true), context, program);
  const acts: InitAct[] = [];
  for (const { agent, file, did } of reportsOf(result, "agents")) {
    if (typeof agent !== "string" || typeof file !== "string") continue;
    const isDifferent = did !== "nothing" && isGuarded;
    if (willGuard || isDifferent || !(await areHooksInstalled(agent, target)))
      acts.push({ kind: "install", agent, file });
  }
  return acts;
}

/** A file that cannot be read is noted, and no reason to do nothing for the other agents. */
async function listWritable(
  agents: readonly FoundAgent[],
  target: InstallContext,
): Promise<string[]> {
  const names: string[] = [];
  for (const { agent } of agents)
    if (lookAtHooks(await requireInstaller(agent), "user", target).kind !== "broken")
      names.push(agent);
  return names;
}

export const installArguments = (agents: readonly string[], dryRun: boolean) => ({
  agents,
  user: true,
  project: false,
  managed: false,
  all: false,
  http: false,
  shimsOnly: false,
  dryRun,
});
