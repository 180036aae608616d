// For whom and where: what `install`, `uninstall` and `doctor` have in common.
import { homedir } from "node:os";
import type { CommandContext } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import { misuse } from "../../command/misuse.ts";
import type { HookInstaller, InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import { requireInstaller } from "../../hooks/install/roster.ts";
import type { Program } from "../program.ts";

export function placeOf(context: CommandContext, program: Program): InstallPlace {
  const env = context.env.forChild();
  return { env, home: env.HOME || homedir(), root: program.root };
}

export function pickScope(
  command: string,
  { user, project }: { readonly user: boolean; readonly project: boolean },
): InstallScope {
  if (user && project) throw misuse(command, "`--user` and `--project` exclude each other");
  return project ? "project" : "user";
}

/** Each once, in the order in which they were named. */
export const pickInstallers = (names: readonly string[]): HookInstaller[] =>
  [...new Set(names)].map(requireInstaller);

/** Which guards an agent has is not for the agent to say. */
export function refuseAgent(command: string, { isBelowAgent }: CommandContext): void {
  if (isBelowAgent)
    throw fault("Required", { name: command }, { hint: "run it yourself, outside the agent" });
}
