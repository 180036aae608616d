// `adj sync`: the commands of a layer as the agents' own, each written where it differs.
import { dirname } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import type { CommandResult } from "../../command/result.ts";
import type { InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import { addMark } from "../../markdown/native/mark.ts";
import type { NativeFormat } from "../../markdown/native/native-format.ts";
import { type NativeCommand, translateCommand } from "../../markdown/native/translate-command.ts";
import { placeOf, refuseAgent } from "../install/target.ts";
import type { Program } from "../program.ts";
import { screenWidth } from "../screen-width.ts";
import { applyChanges, type NativeFolder } from "./apply-changes.ts";
import { findFormats, pickFormats, pickLayer } from "./choose-formats.ts";
import { type Collected, collectCommands } from "./collect-commands.ts";
import { decideChanges, type FileChange } from "./decide-changes.ts";
import { listNativeFiles } from "./native-files.ts";
import { reportSync } from "./report-sync.ts";

export interface SyncArguments {
  readonly agents: readonly string[];
  readonly user: boolean;
  readonly project: boolean;
  readonly check: boolean;
  readonly dryRun: boolean;
}

/** One agent's folder: what it is to hold and what is to be done for that. */
export interface FolderPlan extends NativeFolder {
  readonly format: NativeFormat;
  /** By path below the folder. */
  readonly natives: ReadonlyMap<string, NativeCommand & { readonly name: string }>;
  readonly changes: readonly FileChange[];
}

export async function syncCommands(
  args: SyncArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const scope = pickLayer("sync", args);
  const isWriting = !args.check && !args.dryRun;
  // What an agent is told by a command is not for the agent to write.
  if (isWriting) refuseAgent("sync", context);
  const place = placeOf(context, program);
  const formats = args.agents.length === 0 ? findFormats(scope, place) : pickFormats(args.agents);
  const collected = await collectCommands(scope, program);
  // All folders are read before the first file is written.
  const plans = formats.map((format) => planFolder(format, collected, { scope, place }));
  if (isWriting) for (const plan of plans) applyChanges(plan.changes, plan);
  return reportSync({ args, scope, place, plans, ...collected }, screenWidth(context));
}

function planFolder(
  format: NativeFormat,
  { commands, broken }: Collected,
  { scope, place }: { readonly scope: InstallScope; readonly place: InstallPlace },
): FolderPlan {
  const folder = format.folderOf(scope, place);
  const natives = new Map(
    commands.map((wish) => [
      format.fileOf(wish.file.name),
      { name: wish.file.name, ...translateCommand(wish, format) },
    ]),
  );
  const wanted = new Map(
    Array.from(natives, ([path, { text }]) => [path, addMark(text, format.markLine, scope)]),
  );
  const kept = new Set(broken.map(({ name }) => format.fileOf(name)));
  const own = format.sourcesOf(scope, place).filter((source) => source.folder === folder);
  const found = new Map(own.flatMap(listNativeFiles).map(({ path, text }) => [path, text]));
  const changes = decideChanges({ scope, wanted, kept, found });
  return {
    format,
    folder,
    base: scope === "project" ? place.root : dirname(folder),
    natives,
    changes,
  };
}
