// `adj import`: the agents' own commands as Markdown commands, each with what it could not bring along.
import { join } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import { Fault } from "../../command/fault.ts";
import type { CommandResult } from "../../command/result.ts";
import { LAYER_FOLDER } from "../../config/project-root.ts";
import type { InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import { readMark } from "../../markdown/native/mark.ts";
import type { NativeFormat, NativeSource } from "../../markdown/native/native-format.ts";
import { NATIVE_FORMATS } from "../../markdown/native/roster.ts";
import { SKILL_FILE } from "../../markdown/native/skill.ts";
import { readNativeName, takeIn } from "../../markdown/native/take-in.ts";
import { placeOf, refuseAgent } from "../install/target.ts";
import type { Program } from "../program.ts";
import { screenWidth } from "../screen-width.ts";
import { pickFormats, pickLayer } from "../sync/choose-formats.ts";
import { listCompanions, listNativeFiles, type NativeFileFound } from "../sync/native-files.ts";
import { findImportPath } from "./import-path.ts";
import { type Imported, reportImport } from "./report-import.ts";
import { type CommandTarget, findTarget, writeTarget } from "./targets.ts";

export interface ImportArguments {
  readonly agents: readonly string[];
  readonly user: boolean;
  readonly project: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
}

interface Desk {
  readonly scope: InstallScope;
  readonly place: InstallPlace;
  /** The layer's folder. */
  readonly layerFolder: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Names that this run has given. */
  readonly given: Map<string, string>;
}

export async function importCommands(
  args: ImportArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const scope = pickLayer("import", args);
  // A project's commands need a person's trust; a user's own count at once.
  if (scope === "user" && !args.dryRun) refuseAgent("import", context);
  const place = placeOf(context, program);
  const layerFolder = scope === "project" ? join(program.root, LAYER_FOLDER) : program.configDir;
  const { force, dryRun } = args;
  const desk: Desk = { scope, place, layerFolder, force, dryRun, given: new Map() };
  const formats = args.agents.length === 0 ? NATIVE_FORMATS : pickFormats(args.agents);
  const imported: Imported[] = [];
  for (const format of formats)
    for (const source of format.sourcesOf(scope, place))
      for (const found of listNativeFiles(source))
        imported.push(await importFile({ format, source, found }, desk));
  return reportImport(imported, { scope, dryRun, root: program.root }, screenWidth(context));
}

interface Candidate {
  readonly format: NativeFormat;
  readonly source: NativeSource;
  readonly found: NativeFileFound;
}

async function importFile(candidate: Candidate, desk: Desk): Promise<Imported> {
  const { format, source, found } = candidate;
  const about = { agent: format.agent, file: found.file };
  if (readMark(found.text).kind === "generated")
    return { ...about, name: null, did: "generated", problems: [] };
  const ending = source.layout === "skills" ? `/${SKILL_FILE}` : source.ending;
  const reading = readNativeName(found.path.slice(0, -ending.length));
  if (reading.kind === "wrong")
    return { ...about, name: null, did: "skipped", problems: [reading.problem] };
  const { name } = reading;
  const taken = readCandidate(candidate, name, desk);
  if (typeof taken === "string") return { ...about, name, did: "skipped", problems: [taken] };
  const target = await findTarget(name, desk.layerFolder);
  const did = decide(target, name, desk);
  if (did === "created" || did === "replaced") {
    desk.given.set(name, found.file);
    if (!desk.dryRun) writeTarget(target.file, taken.text);
  }
  const problems = [...taken.problems, ...listCompanions(source, found.path).map(companion)];
  return { ...about, name, did, problems: did === "exists" ? [] : problems };
}

const companion = (path: string): string => `the skill's file \`${path}\``;

function decide(target: CommandTarget, name: string, { force, given }: Desk): Imported["did"] {
  if (given.has(name)) return "exists";
  if (target.kind === "free") return "created";
  return force && target.kind === "markdown" ? "replaced" : "exists";
}

/** The command's text, or why there is none. */
function readCandidate({ format, source, found }: Candidate, name: string, desk: Desk) {
  try {
    const native = source.read(found.text, found.file);
    const importPath = (path: string) => findImportPath(path, desk);
    const taken = takeIn({ ...native, format, name, importPath });
    return taken ?? "its text cannot be said as a Markdown command";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}
