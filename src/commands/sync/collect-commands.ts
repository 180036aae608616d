// The Markdown commands of one layer, as they are in force.
import { basename, join } from "node:path";
import { Fault, fault } from "../../command/fault.ts";
import { type BrokenEntry, listCommands } from "../../command/registry.ts";
import { LAYER_FOLDER } from "../../config/project-root.ts";
import { inspectTrust } from "../../config/trust.ts";
import type { InstallScope } from "../../hooks/install/installer.ts";
import { isMarkdownFile, readMarkdownName } from "../../markdown/file-name.ts";
import { cutFrontMatter } from "../../markdown/front-matter.ts";
import { parseMarkdown } from "../../markdown/markdown-file.ts";
import type { NativeWish } from "../../markdown/native/translate-command.ts";
import type { FoundCommand } from "../command-rows.ts";
import type { Program } from "../program.ts";

export interface BrokenCommand {
  readonly name: string;
  readonly problem: string;
}

export interface Collected {
  readonly commands: readonly NativeWish[];
  readonly broken: readonly BrokenCommand[];
}

export async function collectCommands(scope: InstallScope, program: Program): Promise<Collected> {
  if (scope === "project") await requireTrust(program);
  const layers = await program.layers();
  // Here a project may hide a command of the user's that is used everywhere else.
  const seen = scope === "project" ? layers : layers.filter(({ name }) => name !== "project");
  const folder = scope === "project" ? join(program.root, LAYER_FOLDER) : program.configDir;
  const commands: NativeWish[] = [];
  const broken: BrokenCommand[] = [];
  for (const found of listCommands(seen)) {
    const problem = found.passedOver.find(({ file }) => isOf(folder, file));
    if (problem !== undefined) broken.push(describeBroken(problem));
    if (found.kind !== "found" || found.at.layer !== scope || !isMarkdownFile(found.at.file))
      continue;
    const loaded = await loadWish(found, program);
    if ("problem" in loaded) broken.push(loaded);
    else commands.push(loaded);
  }
  return { commands, broken };
}

const isOf = (folder: string, file: string): boolean =>
  file.startsWith(`${folder}/`) && isMarkdownFile(file);

const describeBroken = ({ name, fault: { message } }: BrokenEntry): BrokenCommand => ({
  name,
  problem: message,
});

/** Without it the layer is empty, and all that was written for it would go. */
async function requireTrust({ root, stateDir }: Program): Promise<void> {
  const { kind } = await inspectTrust(root, stateDir);
  if (kind === "untrusted")
    throw fault("Untrusted", { root }, { hint: "look at it, then run `adj trust`" });
}

async function loadWish(
  { entry, at }: FoundCommand,
  program: Program,
): Promise<NativeWish | BrokenCommand> {
  const { name } = entry;
  try {
    const { source = "" } = await program.load(entry, at);
    const { suffix } = readMarkdownName(basename(at.file));
    const place = { name, suffix, file: at.file, path: at.file };
    const file = parseMarkdown(source, { ...place, layerFolder: { shown: "", real: "" } });
    return { file, body: cutFrontMatter(source, at.file).body };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { name, problem: error.message };
  }
}
