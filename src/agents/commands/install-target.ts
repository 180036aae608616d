// For whom and where: what `install`, `uninstall` and `doctor` have in common.
import { homedir } from "node:os";
import type { CommandContext } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { agentNameOf, namesWith, requireAdapter, requireInstaller } from "../roster.ts";
import {
  type Availability,
  checkAvailability,
  openAgentSearch,
  searchFor,
} from "../run/availability.ts";
import type { HookInstaller, HookScope, InstallContext, InstallScope } from "../steps/installer.ts";

export function installContextOf(context: CommandContext, program: Program): InstallContext {
  const env = context.env.forChild();
  const { root, systemRoot } = program;
  const target = { env, home: env.HOME || homedir(), root };
  return systemRoot === undefined ? target : { ...target, systemRoot };
}

export function pickInstallScope(
  command: string,
  { user, project }: { readonly user: boolean; readonly project: boolean },
): InstallScope {
  if (user && project) throw misuse(command, "`--user` and `--project` exclude each other");
  return project ? "project" : "user";
}

/** As above, and for an administrator. */
export function pickHookScope(
  command: string,
  args: { readonly user: boolean; readonly project: boolean; readonly managed: boolean },
): HookScope {
  if (args.managed && (args.user || args.project))
    throw misuse(command, "`--managed` excludes `--user` and `--project`");
  return args.managed ? "managed" : pickInstallScope(command, args);
}

/** Each once, in the order in which they were named. */
export const pickInstallers = (names: readonly string[]): Promise<HookInstaller[]> =>
  Promise.all([...new Set(names.map(agentNameOf))].map(requireInstaller));

export interface FoundAgent {
  readonly agent: string;
  readonly isFound: boolean;
  readonly version: string | null;
  /** The program, or why there is none. */
  readonly program: string;
}

/** Every agent is asked for its version at the same time; none of them can make this fail. */
export async function findAgents(
  context: CommandContext,
  program: Program,
  names: readonly string[] = namesWith("install"),
): Promise<FoundAgent[]> {
  const search = await openAgentSearch(context, program);
  return Promise.all(
    names.map(async (name) => {
      const adapter = await requireAdapter(name);
      return describeFound(name, await checkAvailability(adapter, searchFor(adapter, search)));
    }),
  );
}

const describeFound = (agent: string, here: Availability): FoundAgent => ({
  agent,
  isFound: here.available,
  version: here.version ?? null,
  program: here.available ? (here.path ?? "") : (here.problem ?? ""),
});
