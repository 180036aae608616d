// `adj install AGENT --mcp`, and what of it `adj uninstall` takes back.
import {
  findAgents,
  installContextOf,
  pickInstallScope,
} from "../../agents/commands/install-target.ts";
import { findMcpInstaller, loadMcpInstallers, requireInstaller } from "../../agents/roster.ts";
import type { InstallContext, InstallScope, McpInstaller } from "../../agents/steps/installer.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { findProgram } from "../../core/process/find-program.ts";
import type { HooksChange } from "../install/apply.ts";
import { installServer, uninstallServer } from "../install/change-server.ts";
import { findServerProgram } from "../resident/client.ts";
import { describeRemoval, describeWritten } from "./describe-install.ts";

/** In which agents, in which of their files, and whether only to say so. */
export interface TargetArguments {
  readonly agents: readonly string[];
  readonly user: boolean;
  readonly project: boolean;
  readonly managed: boolean;
  readonly all: boolean;
  readonly dryRun: boolean;
}

interface InstallServerArguments extends TargetArguments {
  readonly http: boolean;
  readonly shimsOnly: boolean;
}

export async function installServers(
  args: InstallServerArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  if (args.managed || args.http || args.shimsOnly)
    throw misuse("install", "`--mcp` excludes `--managed`, `--http` and `--shims-only`");
  const scope = pickInstallScope("install", args);
  const target = installContextOf(context, program);
  const installers = args.all
    ? await pickServers(
        (await findAgents(context, program)).filter((one) => one.isFound).map((one) => one.agent),
      )
    : await pickServers(args.agents);
  const words = [await findServerProgram(program, target, scope), "mcp"] as const;
  const done: (HooksChange & { agent: string; nextSteps: readonly string[] })[] = [];
  for (const installer of installers) {
    const request = { scope, target, stateDir: program.stateDir, isDryRun: args.dryRun };
    const change = await installServer(installer, words, request);
    const nextSteps = await listServerSteps(installer, scope, target);
    done.push({ agent: installer.agent, ...change, nextSteps });
  }
  const manner = { isDryRun: args.dryRun, what: "the server" };
  const sections = done.map((one) =>
    [describeWritten(one.agent, one, manner), ...one.nextSteps.map((step) => `next: ${step}`)].join(
      "\n",
    ),
  );
  const none = "no agent was found; name one to install for it all the same";
  return ok(sections.length === 0 ? none : sections.join("\n\n"), {
    agents: done.map(({ agent, file, did, nextSteps }) => ({ agent, scope, file, did, nextSteps })),
    dryRun: args.dryRun,
  });
}

async function listServerSteps(
  installer: McpInstaller,
  scope: InstallScope,
  { env, root }: InstallContext,
): Promise<string[]> {
  const steps = [...installer.nextSteps(scope)];
  if (scope === "user") return steps;
  const search = await findProgram("adj", { path: env.PATH, cwd: root });
  return search.kind === "found"
    ? steps
    : ["put `adj` on PATH: the entry calls it by name", ...steps];
}

/** Each once; whoever is unknown is named as for hooks. */
async function pickServers(names: readonly string[]): Promise<McpInstaller[]> {
  const installers: McpInstaller[] = [];
  for (const name of new Set(names)) {
    const { agent } = await requireInstaller(name);
    const found = await findMcpInstaller(agent);
    if (found !== null) installers.push(found);
  }
  return installers;
}

interface ServersRemoved {
  readonly report: CommandResult;
  /** Of those that had one. */
  readonly lines: readonly string[];
  readonly changed: readonly object[];
}

/** Nothing where it is for everybody on a machine: there is no such entry. */
export async function uninstallServers(
  args: TargetArguments,
  context: CommandContext,
  program: Program,
): Promise<ServersRemoved> {
  if (args.managed) return { report: ok(""), lines: [], changed: [] };
  const scope = pickInstallScope("uninstall", args);
  const target = installContextOf(context, program);
  const installers = args.all ? await loadMcpInstallers() : await pickServers(args.agents);
  const changes: (HooksChange & { agent: string })[] = [];
  for (const installer of installers) {
    const request = { scope, target, stateDir: program.stateDir, isDryRun: args.dryRun };
    changes.push({ agent: installer.agent, ...(await uninstallServer(installer, request)) });
  }
  const describe = (change: (typeof changes)[number]) => describeRemoval(change, args.dryRun);
  const facts = changes.map(({ agent, file, did }) => ({ agent, scope, file, did }));
  return {
    report: ok(changes.map(describe).join("\n"), { agents: facts, dryRun: args.dryRun }),
    lines: changes.filter(({ did }) => did !== "nothing").map(describe),
    changed: facts.filter(({ did }) => did !== "nothing"),
  };
}
