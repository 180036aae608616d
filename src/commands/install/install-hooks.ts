import type { CommandContext } from "../../command/context.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { diffLines } from "../../config/line-diff.ts";
import { abilitiesOf } from "../../hooks/install/abilities.ts";
import { type HooksChange, installHooks } from "../../hooks/install/change-hooks.ts";
import type { HookInstaller, InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import type { Program } from "../program.ts";
import { screenWidth } from "../screen-width.ts";
import { clientLine, prepareClient } from "./client.ts";
import { formatAbilities, listAbilities } from "./describe-abilities.ts";
import { findAgents } from "./found-agents.ts";
import { closeHttpDoor, makeWish, type WishArguments } from "./make-wish.ts";
import { listNextSteps } from "./next-steps.ts";
import { pickInstallers, pickScope, placeOf, refuseAgent } from "./target.ts";

export interface InstallArguments extends WishArguments {
  readonly agents: readonly string[];
  readonly user: boolean;
  readonly project: boolean;
  readonly all: boolean;
  readonly dryRun: boolean;
}

export async function installFor(
  args: InstallArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const scope = pickScope("install", args);
  const installers = await chooseInstallers(args, context, program);
  if (!args.dryRun) refuseAgent("install", context);
  const place = placeOf(context, program);
  const desk = { args, scope, place, program };
  // All wishes are checked before the first file is written.
  const client = await prepareClient({ scope, place, program, isDryRun: args.dryRun });
  const wishes = [];
  for (const installer of installers)
    wishes.push({
      installer,
      wish: await makeWish(installer, clientLine(client, installer.agent), desk),
    });
  const installed: Installed[] = [];
  for (const { installer, wish } of wishes) {
    const { stateDir } = program;
    const request = { scope, place, stateDir, client, isDryRun: args.dryRun };
    const change = await installHooks(installer, wish, request);
    if (!args.http && !args.dryRun) closeHttpDoor(installer, scope, program);
    const nextSteps = await listNextSteps(installer, scope, place);
    installed.push({ installer, change, nextSteps });
  }
  return report(installed, desk, screenWidth(context));
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

interface Desk {
  readonly args: InstallArguments;
  readonly scope: InstallScope;
  readonly place: InstallPlace;
  readonly program: Program;
}

function report(
  installed: readonly Installed[],
  { args, scope }: Desk,
  width: number | null,
): CommandResult {
  const sections = installed.map(({ installer, change, nextSteps }) => {
    const abilities = abilitiesOf(installer.agent);
    return [
      describeChange(installer.agent, change, args.dryRun),
      ...formatAbilities(abilities, width),
      ...nextSteps.map((step) => `next: ${step}`),
    ].join("\n");
  });
  const agents = installed.map(({ installer: { agent }, change: { file, did }, nextSteps }) => ({
    agent,
    scope,
    file,
    did,
    steps: listAbilities(abilitiesOf(agent)),
    nextSteps,
  }));
  const none = "no agent was found; name one to install for it all the same";
  return ok(sections.length === 0 ? none : sections.join("\n\n"), {
    agents,
    dryRun: args.dryRun,
  });
}

function describeChange(
  agent: string,
  { file, did, before, after }: HooksChange,
  isDryRun: boolean,
): string {
  if (did === "nothing") return `${agent}: ${file} has the hooks already`;
  if (!isDryRun) return `${agent}: wrote ${file}`;
  return `${agent}: would write ${file}\n${diffLines(before ?? "", after ?? "").trimEnd()}`;
}
