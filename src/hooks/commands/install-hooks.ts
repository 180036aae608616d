// `adj install` and `adj uninstall`: from flags to entries in the agents' own files.
import {
  findAgents,
  installContextOf,
  pickHookScope,
  pickInstallers,
} from "../../agents/commands/install-target.ts";
import { loadInstallers } from "../../agents/roster.ts";
import { compareVersions } from "../../agents/run/capabilities.ts";
import { type HookInstaller, type HookScope, installerFor } from "../../agents/steps/installer.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import type { HooksChange } from "../install/apply.ts";
import { installHooks, uninstallHooks } from "../install/change.ts";
import { prepareClient } from "../resident/client.ts";
import {
  describeRemoval,
  describeWritten,
  formatAbilities,
  listAbilities,
  listInstallSteps,
} from "./describe-install.ts";
import { closeUnusedHttp, type EntryArguments, makeEntryRequest } from "./entry-request.ts";
import { type TargetArguments, uninstallServers } from "./install-server.ts";

type InstallArguments = EntryArguments & TargetArguments;

export async function installFor(
  args: InstallArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const scope = pickHookScope("install", args);
  const installers = layersOf(await chooseInstallers(args, context, program), scope, {
    command: "install",
    isAll: args.all,
  });
  const target = installContextOf(context, program);
  // All that is wanted is checked before the first file is written.
  const client = await prepareClient({ scope, target, program, isDryRun: args.dryRun });
  const wanted = [];
  for (const installer of installers) {
    const words = [...client, installer.agent];
    const entries = await makeEntryRequest(installer, words, { args, scope, program, target });
    const canExec = scope === "user" && (await startsPrograms(installer, context, program));
    wanted.push({ installer, entries: canExec ? { ...entries, exec: words } : entries });
  }
  const installed: Installed[] = [];
  for (const { installer, entries } of wanted) {
    const { stateDir } = program;
    const request = { scope, target, stateDir, client, isDryRun: args.dryRun };
    const change = await installHooks(installer, entries, request);
    if (!args.http && !args.dryRun) closeUnusedHttp(installer, scope, program);
    const written = { scope, client, isGuarded: entries.guarded.size > 0 };
    const nextSteps = await listInstallSteps(installer, written, target);
    installed.push({ installer, change, nextSteps });
  }
  return reportInstalled(installed, { args, scope }, screenWidth(context));
}

/** An agent that is not here yet will be a newer one. */
async function startsPrograms(
  installer: HookInstaller,
  context: CommandContext,
  program: Program,
): Promise<boolean> {
  if (installer.kind === "plugin" || installer.execSince === undefined) return false;
  const [found] = await findAgents(context, program, [installer.agent]);
  const version = found?.version ?? null;
  return version === null || compareVersions(version, installer.execSince) >= 0;
}

/** With `--all` those that have no such layer are passed over. */
function layersOf(
  installers: readonly HookInstaller[],
  scope: HookScope,
  { command, isAll }: { readonly command: string; readonly isAll: boolean },
): HookInstaller[] {
  return installers.flatMap((installer) => {
    const layer = installerFor(installer, scope);
    if (layer !== null) return [layer];
    if (isAll) return [];
    throw misuse(
      command,
      `\`${installer.agent}\` has no layer for \`--managed\`: ${String(installer.managed)}`,
    );
  });
}

async function chooseInstallers(
  { all, agents }: InstallArguments,
  context: CommandContext,
  program: Program,
): Promise<HookInstaller[]> {
  if (!all) return pickInstallers(agents);
  const found = await findAgents(context, program);
  return pickInstallers(found.filter(({ isFound }) => isFound).map(({ agent }) => agent));
}

interface Installed {
  readonly installer: HookInstaller;
  readonly change: HooksChange;
  readonly nextSteps: readonly string[];
}

interface InstallRun {
  readonly args: InstallArguments;
  readonly scope: HookScope;
}

function reportInstalled(
  installed: readonly Installed[],
  { args, scope }: InstallRun,
  width: number | null,
): CommandResult {
  const sections = installed.map(({ installer, change, nextSteps }) => {
    return [
      describeWritten(installer.agent, change, { isDryRun: args.dryRun, what: "the hooks" }),
      ...formatAbilities(installer.abilities, width),
      ...nextSteps.map((step) => `next: ${step}`),
    ].join("\n");
  });
  const agents = installed.map(({ installer, change: { file, did }, nextSteps }) => ({
    agent: installer.agent,
    scope,
    file,
    did,
    steps: listAbilities(installer.abilities),
    nextSteps,
  }));
  const none = "no agent was found; name one to install for it all the same";
  return ok(sections.length === 0 ? none : sections.join("\n\n"), {
    agents,
    dryRun: args.dryRun,
  });
}

async function undoSetups(program: Program, isDryRun: boolean): Promise<string[]> {
  const lines: string[] = [];
  for (const { undoSetup } of program.features)
    lines.push(...((await undoSetup?.(program, isDryRun)) ?? []));
  return lines;
}

interface UninstallArguments {
  readonly agents: readonly string[];
  readonly user: boolean;
  readonly project: boolean;
  readonly managed: boolean;
  readonly all: boolean;
  readonly mcp: boolean;
  readonly dryRun: boolean;
}

/** Hooks and server, or the server alone. */
export async function uninstallFrom(
  args: UninstallArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const scope = pickHookScope("uninstall", args);
  if (args.agents.length === 0 && !args.all)
    throw misuse("uninstall", "it wants the names of agents, or `--all`");
  if (args.mcp && scope === "managed") throw misuse("uninstall", "`--mcp` has no managed layer");
  const servers = await uninstallServers(args, context, program);
  if (args.mcp) return servers.report;
  const named = await (args.all ? loadInstallers() : pickInstallers(args.agents));
  const installers = layersOf(named, scope, { command: "uninstall", isAll: args.all });
  const target = installContextOf(context, program);
  const { stateDir } = program;
  const client = await prepareClient({ scope, target, program, isDryRun: true });
  const changes: (HooksChange & { agent: string })[] = [];
  for (const installer of installers) {
    const request = { scope, target, stateDir, client, isDryRun: args.dryRun };
    changes.push({ agent: installer.agent, ...(await uninstallHooks(installer, request)) });
    if (!args.dryRun) closeUnusedHttp(installer, scope, program);
  }
  const isWhole = args.all && scope === "user";
  const undone = isWhole ? await undoSetups(program, args.dryRun) : [];
  const lines = [...changes.map((change) => describeRemoval(change, args.dryRun)), ...undone];
  const agents = changes.map(({ agent, file, did }) => ({ agent, scope, file, did }));
  return ok([...lines, ...servers.lines].join("\n"), {
    agents,
    servers: servers.changed,
    dryRun: args.dryRun,
  });
}
