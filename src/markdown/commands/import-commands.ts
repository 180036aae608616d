import { dirname, isAbsolute, join, relative } from "node:path";
import { installContextOf } from "../../agents/commands/install-target.ts";
import type { NativeFormat, NativeSource } from "../../agents/native/format.ts";
import { SKILL_FILE } from "../../agents/native/markdown-text.ts";
import { loadFormats } from "../../agents/roster.ts";
import type { InstallContext, InstallScope } from "../../agents/steps/installer.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { Fault } from "../../core/command/fault.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { showCommandFile } from "../../core/commands/command-rows.ts";
import { hasYamlCommand } from "../../core/commands/new/yaml-command.ts";
import { isFile, listFolder, refuseLinks, storeFile } from "../../core/project/files.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { importNativeCommand, readNativeName } from "../native/import-command.ts";
import { readSyncMark } from "../native/sync-changes.ts";
import {
  listCompanions,
  listNativeFiles,
  type NativeFileFound,
  pickFormats,
  pickLayer,
} from "./native-files.ts";

interface ImportArguments {
  readonly agents: readonly string[];
  readonly user: boolean;
  readonly project: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Only the commands of these names. */
  readonly only?: ReadonlySet<string>;
}

interface ImportRun {
  readonly scope: InstallScope;
  readonly install: InstallContext;
  /** The layer's folder. */
  readonly layerFolder: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Names that this run has given. */
  readonly given: Map<string, string>;
  readonly only: ReadonlySet<string> | null;
}

export async function importCommands(
  args: ImportArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const scope = pickLayer("import", args);
  const install = installContextOf(context, program);
  const layerFolder = scope === "project" ? join(program.root, LAYER_FOLDER) : program.configDir;
  const { force, dryRun } = args;
  if (scope === "project") refuseLinks(program.root, join(layerFolder, "commands"));
  const given = new Map<string, string>();
  const only = args.only ?? null;
  const run: ImportRun = { scope, install, layerFolder, force, dryRun, given, only };
  const formats = await (args.agents.length === 0 ? loadFormats() : pickFormats(args.agents));
  const imported: ImportedFileReport[] = [];
  for (const format of formats)
    for (const source of format.sourcesOf(scope, install))
      for (const found of listNativeFiles(source))
        imported.push(await importFile({ format, source, found }, run));
  return reportImport(imported, { scope, dryRun, root: program.root }, screenWidth(context));
}

interface Candidate {
  readonly format: NativeFormat;
  readonly source: NativeSource;
  readonly found: NativeFileFound;
}

async function importFile(candidate: Candidate, run: ImportRun): Promise<ImportedFileReport> {
  const { format, source, found } = candidate;
  const about = { agent: format.agent, file: found.file };
  if (readSyncMark(found.text).kind === "generated")
    return { ...about, name: null, did: "generated", problems: [] };
  const ending = source.layout === "skills" ? `/${SKILL_FILE}` : source.ending;
  const reading = readNativeName(found.path.slice(0, -ending.length));
  if (reading.kind === "wrong")
    return { ...about, name: null, did: "skipped", problems: [reading.problem] };
  const { name } = reading;
  const taken = readCandidate(candidate, name, run);
  if (typeof taken === "string") return { ...about, name, did: "skipped", problems: [taken] };
  const target = await findTarget(name, run.layerFolder);
  const did = decideImport(target, name, run);
  if (did === "created" || did === "replaced") {
    run.given.set(name, found.file);
    if (run.scope === "project") refuseLinks(run.install.root, target.file);
    if (!run.dryRun) storeFile(target.file, taken.text, 0o644);
  }
  const problems = [...taken.problems, ...listCompanions(source, found.path).map(companion)];
  return { ...about, name, did, problems: did === "exists" ? [] : problems };
}

const companion = (path: string): string => `the skill's file \`${path}\``;

function decideImport(
  target: CommandTarget,
  name: string,
  { force, given, only }: ImportRun,
): ImportedFileReport["did"] {
  if (given.has(name)) return "exists";
  if (only !== null && !only.has(name)) return "skipped";
  if (target.kind === "free") return "created";
  return force && target.kind === "markdown" ? "replaced" : "exists";
}

/** The command's text, or why there is none. */
function readCandidate({ format, source, found }: Candidate, name: string, run: ImportRun) {
  try {
    const native = source.read(found.text, found.file);
    const importPath = (path: string) => findImportPath(path, run);
    const taken = importNativeCommand({ ...native, format, name, importPath });
    return taken ?? "its text cannot be said as a Markdown command";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

/**
 * Agents read a path from the folder they work in, we from the command's own folder: of a user's command
 * only paths from home and from the root stay what they are.
 */
function findImportPath(path: string, { scope, install, layerFolder }: ImportRun): string | null {
  if (path === "") return null;
  if (path.startsWith("~/")) return isFile(join(install.home, path.slice(2))) ? path : null;
  if (isAbsolute(path)) return isFile(path) ? path : null;
  if (scope === "user" || !isFile(join(install.root, path))) return null;
  const found = relative(join(layerFolder, "commands"), join(install.root, path));
  return found.startsWith("../") ? found : `./${found}`;
}

/** Where an imported command goes, and what is there already. */
interface CommandTarget {
  /** What has the name now; a Markdown file of this very name may be replaced. */
  readonly kind: "free" | "markdown" | "other";
  readonly file: string;
}

async function findTarget(name: string, folder: string): Promise<CommandTarget> {
  const file = join(folder, "commands", `${name}.md`);
  const others = listFolder(dirname(file)).filter((other) => other.split(".")[0] === name);
  if (others.length === 0)
    return { kind: (await hasYamlCommand({ folder, name })) ? "other" : "free", file };
  return { kind: others.join() === `${name}.md` ? "markdown" : "other", file };
}

// What `adj import` says: a line for each file, and what each could not bring along.

interface ImportedFileReport {
  readonly agent: string;
  readonly file: string;
  /** What it is called here; null where it has no name. */
  readonly name: string | null;
  /** `generated`: `adj sync` wrote it. `exists`: the name is taken. `skipped`: it cannot be taken in. */
  readonly did: "created" | "replaced" | "exists" | "generated" | "skipped";
  /** What could not be carried over, or why it was skipped. */
  readonly problems: readonly string[];
}

const COLUMNS = [
  { title: "AGENT" },
  { title: "FILE", least: 20, cut: "start" },
  { title: "COMMAND" },
  { title: "STATE" },
  { title: "LOST" },
] as const;

interface ImportReportOptions {
  readonly scope: InstallScope;
  /** Files in it are shown from there. */
  readonly root: string;
  readonly dryRun: boolean;
}

function reportImport(
  imported: readonly ImportedFileReport[],
  terms: ImportReportOptions,
  width: number | null,
): CommandResult {
  const { scope, dryRun } = terms;
  const show = (file: string): string => showCommandFile({ layer: scope, file }, terms.root);
  const rows = imported.map(({ agent, file, name, did, problems }) => [
    ...[agent, show(file), name ?? "", dryRun ? (WOULD[did] ?? did) : did],
    problems.length === 0 || did === "skipped" ? "" : String(problems.length),
  ]);
  const steps = listNextSteps(imported, terms);
  const lines = [
    ...(rows.length === 0 ? ["no agent has a command of its own here"] : []),
    ...(rows.length === 0 ? [] : formatTable(COLUMNS, rows, width)),
    ...imported.flatMap(({ file, did, problems }) =>
      problems.map((problem) => `${show(file)}: ${did === "skipped" ? "" : "lost: "}${problem}`),
    ),
    ...steps.map((step) => `next: ${step}`),
  ];
  const exitCode = imported.some(({ did }) => did === "skipped") ? 1 : 0;
  return {
    success: exitCode === 0,
    output: lines.join("\n"),
    errorOutput: null,
    exitCode,
    metadata: { scope, dryRun, files: imported, nextSteps: steps },
  };
}

const WOULD: Readonly<Partial<Record<ImportedFileReport["did"], string>>> = {
  created: "to create",
  replaced: "to replace",
};

function listNextSteps(
  imported: readonly ImportedFileReport[],
  { scope, dryRun }: ImportReportOptions,
): string[] {
  const isWritten = imported.some(({ did }) => did === "created" || did === "replaced");
  const isTaken = imported.some(({ did }) => did === "exists");
  return [
    ...(isWritten && !dryRun && scope === "project" ? ["`adj trust`"] : []),
    ...(isTaken ? ["`--force` replaces Markdown commands that are there"] : []),
  ];
}
