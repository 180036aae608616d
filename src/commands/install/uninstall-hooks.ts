import type { CommandContext } from "../../command/context.ts";
import { misuse } from "../../command/misuse.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { diffLines } from "../../config/line-diff.ts";
import { type HooksChange, uninstallHooks } from "../../hooks/install/change-hooks.ts";
import { INSTALLERS } from "../../hooks/install/roster.ts";
import type { Program } from "../program.ts";
import { prepareClient } from "./client.ts";
import { closeHttpDoor } from "./make-wish.ts";
import { pickInstallers, pickScope, placeOf, refuseAgent } from "./target.ts";

export interface UninstallArguments {
  readonly agents: readonly string[];
  readonly user: boolean;
  readonly project: boolean;
  readonly all: boolean;
  readonly dryRun: boolean;
}

export async function uninstallFrom(
  args: UninstallArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const scope = pickScope("uninstall", args);
  if (args.agents.length === 0 && !args.all)
    throw misuse("uninstall", "it wants the names of agents, or `--all`");
  const installers = args.all ? INSTALLERS : pickInstallers(args.agents);
  if (!args.dryRun) refuseAgent("uninstall", context);
  const place = placeOf(context, program);
  const { stateDir } = program;
  const client = await prepareClient({ scope, place, program, isDryRun: true });
  const changes: (HooksChange & { agent: string })[] = [];
  for (const installer of installers) {
    const request = { scope, place, stateDir, client, isDryRun: args.dryRun };
    changes.push({ agent: installer.agent, ...(await uninstallHooks(installer, request)) });
    if (!args.dryRun) closeHttpDoor(installer, scope, program);
  }
  const lines = changes.map((change) => describeRemoval(change, args.dryRun));
  const agents = changes.map(({ agent, file, did }) => ({ agent, scope, file, did }));
  return ok(lines.join("\n"), { agents, dryRun: args.dryRun });
}

const DONE = { removed: "removed", changed: "took the entries out of" } as const;
const TRIED = { removed: "would remove", changed: "would take the entries out of" } as const;

function describeRemoval(
  { agent, file, did, before, after }: HooksChange & { agent: string },
  isDryRun: boolean,
): string {
  if (did === "nothing" || did === "created") return `${agent}: nothing of Adjutant in ${file}`;
  if (!isDryRun) return `${agent}: ${DONE[did]} ${file}`;
  return `${agent}: ${TRIED[did]} ${file}\n${diffLines(before ?? "", after ?? "").trimEnd()}`;
}
