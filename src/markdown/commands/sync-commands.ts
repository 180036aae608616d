// `adj sync`: the commands of a layer as the agents' own, each written where it differs.
import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { installContextOf } from "../../agents/commands/install-target.ts";
import type { NativeFormat } from "../../agents/native/format.ts";
import { printMarkdown } from "../../agents/native/markdown-text.ts";
import type { InstallContext, InstallScope } from "../../agents/steps/installer.ts";
import type { CommandContext } from "../../core/command/context.ts";
import type { CommandSummary } from "../../core/command/definition.ts";
import { Fault, fault } from "../../core/command/fault.ts";
import { type BrokenEntry, listCommands } from "../../core/command/registry.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { FoundCommand, Program } from "../../core/commands/bundled.ts";
import { readText, refuseLinks, storeFault, storeFile } from "../../core/project/files.ts";
import { splitFrontMatter } from "../../core/project/front-matter.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { inspectTrust } from "../../core/project/trust/inspect.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { parseMarkdown } from "../file/markdown-file.ts";
import { isMarkdownFile, readMarkdownName } from "../file/named-agent.ts";
import { makeSkill, SKILL_NAME, SKILL_PATH } from "../native/skill.ts";
import { addSyncMark, decideChanges, type NativeFileChange } from "../native/sync-changes.ts";
import {
  type NativeCommand,
  type TranslatableCommand,
  translateCommand,
} from "../native/translate-command.ts";
import { findFormats, listNativeFiles, pickFormats, pickLayer } from "./native-files.ts";
import { reportSync } from "./report-sync.ts";

export interface SyncArguments {
  readonly agents: readonly string[];
  readonly user: boolean;
  readonly project: boolean;
  readonly check: boolean;
  readonly remove: boolean;
  readonly dryRun: boolean;
}

/** One agent's folder: what it is to hold and what is to be done for that. */
export interface FolderPlan extends NativeFolder {
  readonly format: NativeFormat;
  /** The commands by their paths below the folder. */
  readonly natives: ReadonlyMap<string, NativeCommand & { readonly name: string }>;
  readonly changes: readonly NativeFileChange[];
}

export async function syncCommands(
  args: SyncArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const scope = pickLayer("sync", args);
  const isWriting = !args.check && !args.dryRun;
  const target = { scope, install: installContextOf(context, program) };
  const formats = await (args.agents.length === 0
    ? findFormats(scope, target.install)
    : pickFormats(args.agents));
  const collected = args.remove ? NOTHING : await collectCommands(scope, program);
  // All folders are read before the first file is written.
  const plans = [
    ...formats.map((format) => planFolder(format, collected, target)),
    ...planSkills(formats, collected, target),
  ];
  if (isWriting) {
    if (scope === "project") refuseLinkedFiles(program.root, plans);
    for (const plan of plans) for (const change of plan.changes) applyChange(change, plan);
  }
  const unanswered = await listUnanswered(plans, context, program);
  const facts = { args, scope, root: program.root, plans, unanswered, ...collected };
  return reportSync(facts, screenWidth(context));
}

/** Called before the first file is written, so that a refusal leaves nothing half done. */
function refuseLinkedFiles(root: string, plans: readonly FolderPlan[]): void {
  for (const { folder, changes } of plans)
    for (const { kind, path } of changes)
      if (kind === "create" || kind === "update" || kind === "remove")
        refuseLinks(root, join(folder, path));
}

interface SyncTarget {
  readonly scope: InstallScope;
  readonly install: InstallContext;
}

/** The skill beside the commands; a command of its name has the place. */
function planSkills(
  formats: readonly NativeFormat[],
  { commands, summaries }: CollectedCommands,
  { scope, install }: SyncTarget,
): FolderPlan[] {
  if (commands.some(({ file }) => file.name === SKILL_NAME)) return [];
  const skill = makeSkill(summaries, scope);
  return formats.flatMap((format) => {
    const folder = format.skillsOf(scope, install);
    if (folder === null) return [];
    const text = skill === null ? null : printMarkdown(skill);
    const marked = text === null ? null : addSyncMark(text, SKILL_MARK_LINE, scope);
    const there = readText(join(folder, SKILL_PATH));
    const changes = decideChanges({
      scope,
      wanted: new Map(marked === null ? [] : [[SKILL_PATH, marked]]),
      kept: new Set(),
      found: new Map(there === null ? [] : [[SKILL_PATH, there]]),
    });
    const native = { name: SKILL_NAME, why: null, leftOut: [], text: text ?? "" };
    const base = scope === "project" ? install.root : dirname(folder);
    return [
      {
        format,
        folder,
        base,
        natives: new Map([[SKILL_PATH, { ...native, kind: "skill" as const }]]),
        changes,
      },
    ];
  });
}

/** The mark of a skill is put behind the line that opens the front matter. */
const SKILL_MARK_LINE = 1;

function planFolder(
  format: NativeFormat,
  { commands, broken }: CollectedCommands,
  { scope, install }: SyncTarget,
): FolderPlan {
  const folder = format.folderOf(scope, install);
  const natives = new Map(
    commands.map((command) => [
      format.fileOf(command.file.name),
      { name: command.file.name, ...translateCommand(command, format) },
    ]),
  );
  const wanted = new Map(
    Array.from(natives, ([path, { text }]) => [path, addSyncMark(text, format.markLine, scope)]),
  );
  const kept = new Set(broken.map(({ name }) => format.fileOf(name)));
  // Where commands are skills, the one about all of them lies beside them.
  if (format.fileOf(SKILL_NAME) === SKILL_PATH && !natives.has(SKILL_PATH)) kept.add(SKILL_PATH);
  const own = format.sourcesOf(scope, install).filter((source) => source.folder === folder);
  const found = new Map(own.flatMap(listNativeFiles).map(({ path, text }) => [path, text]));
  const changes = decideChanges({ scope, wanted, kept, found });
  return {
    format,
    folder,
    base: scope === "project" ? install.root : dirname(folder),
    natives,
    changes,
  };
}

/** A relay calls `adj-NAME`, which another feature provides inside the agent. */
async function listUnanswered(
  plans: readonly FolderPlan[],
  context: CommandContext,
  program: Program,
): Promise<string[]> {
  const unanswered: string[] = [];
  for (const { format, natives } of plans) {
    if (![...natives.values()].some(({ kind }) => kind === "relay")) continue;
    const answers = program.features.map((feature) =>
      feature.answersCommands?.(format.agent, context, program),
    );
    if (!(await Promise.all(answers)).includes(true)) unanswered.push(format.agent);
  }
  return unanswered;
}

interface NativeFolder {
  readonly folder: string;
  /** It and what is above it are never removed. */
  readonly base: string;
}

/** Writes or removes what was decided; the file is whole at any moment. */
function applyChange({ kind, path, text }: NativeFileChange, { folder, base }: NativeFolder): void {
  const file = join(folder, path);
  if (kind === "remove") removeFile(file, base);
  else if (text !== null && (kind === "create" || kind === "update")) storeFile(file, text, 0o644);
}

function removeFile(file: string, base: string): void {
  try {
    rmSync(file);
    removeEmpty(dirname(file), base);
  } catch (error) {
    throw storeFault(file, error);
  }
}

/** Folders that the last file of ours leaves empty. */
function removeEmpty(folder: string, base: string): void {
  if (folder === base || !folder.startsWith(`${base}/`) || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), base);
}

interface BrokenCommand {
  readonly name: string;
  readonly problem: string;
}

export interface CollectedCommands {
  readonly commands: readonly TranslatableCommand[];
  /** The summaries of the commands that an agent can run in its shell. */
  readonly summaries: readonly CommandSummary[];
  readonly broken: readonly BrokenCommand[];
}

/** The Markdown commands of one layer, as they are in force. */
async function collectCommands(scope: InstallScope, program: Program): Promise<CollectedCommands> {
  if (scope === "project") await requireTrust(program);
  const layers = await program.layers();
  // Here a project may hide a command of the user's that is used everywhere else.
  const seen = scope === "project" ? layers : layers.filter(({ name }) => name !== "project");
  const folder = scope === "project" ? join(program.root, LAYER_FOLDER) : program.configDir;
  const commands: TranslatableCommand[] = [];
  const summaries: CommandSummary[] = [];
  const broken: BrokenCommand[] = [];
  for (const found of listCommands(seen)) {
    const problem = found.passedOver.find(({ file }) => isOf(folder, file));
    if (problem !== undefined) broken.push(describeBroken(problem));
    if (found.kind !== "found" || found.at.layer !== scope) continue;
    const isPrompt = isMarkdownFile(found.at.file);
    // A prompt is there as the agent's own command, and may start an agent below another only where it says so.
    if (!isPrompt || found.entry.summary.agents) summaries.push(found.entry.summary);
    if (!isPrompt) continue;
    const loaded = await loadCommandFile(found, program);
    if ("problem" in loaded) broken.push(loaded);
    else commands.push(loaded);
  }
  return { commands, summaries, broken };
}

const NOTHING: CollectedCommands = { commands: [], summaries: [], broken: [] };

const isOf = (folder: string, file: string): boolean =>
  file.startsWith(`${folder}/`) && isMarkdownFile(file);

const describeBroken = ({ name, fault: { message } }: BrokenEntry): BrokenCommand => ({
  name,
  problem: message,
});

/** An untrusted layer counts as empty, and all that was written for it would be removed. */
async function requireTrust({ root, stateDir }: Program): Promise<void> {
  const { kind } = await inspectTrust(root, stateDir);
  if (kind === "untrusted")
    throw fault("Untrusted", { root }, { hint: "look at it, then run `adj trust`" });
}

async function loadCommandFile(
  { entry, at }: FoundCommand,
  program: Program,
): Promise<TranslatableCommand | BrokenCommand> {
  const { name } = entry;
  try {
    const { source = "" } = await program.load(entry, at);
    const { suffix } = readMarkdownName(basename(at.file));
    const location = { name, suffix, file: at.file, path: at.file };
    const file = parseMarkdown(source, { ...location, layerFolder: { shown: "", real: "" } });
    return { file, body: splitFrontMatter(source, at.file).body };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { name, problem: error.message };
  }
}
