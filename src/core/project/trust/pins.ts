// Which files a project's definitions run, found by looking: those that are run from the copy, those that are run in place
// while they are as approved, and what nobody can hold still.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { fault, formatWhere } from "../../command/fault.ts";
import { statOf } from "../files.ts";
import {
  basesOf,
  candidatePaths,
  isPackagePath,
  isSystemPath,
  pathInside,
  pathsFrom,
} from "./candidate-paths.ts";
import { pathsIn, type UncoveredRun } from "./command-reading.ts";
import { isModule, type RunDefinition } from "./definitions.ts";
import { readVariables } from "./executed-words.ts";
import { listImportedPackages } from "./imported-packages.ts";
import { keepFiles, type PinReader, pinScript, type ScriptPins } from "./pin-script.ts";
import { type FoundRun, readArgv, readLine, type UncoveredAt } from "./program-line.ts";
import { isMade } from "./script-text.ts";

/** Something that runs as it is when it runs. */
export interface Uncovered {
  /** The definition that runs it: file, line, column. */
  readonly where: string;
  readonly what: string;
  /** False for programs of the system. */
  readonly isOfProject: boolean;
  /** Files of the project that decide what it does, from the root. */
  readonly paths: readonly string[];
}

export interface Pins {
  /** Files that run where they lie, each with all that must be as approved for it. */
  readonly inPlace: Readonly<Record<string, readonly string[]>>;
  readonly uncovered: readonly Uncovered[];
  /** Packages of the project that its commands may import; an older version wrote none. */
  readonly packages?: readonly string[];
}

interface Pinning extends PinReader {
  readonly inPlace: Record<string, readonly string[]>;
  readonly uncovered: Uncovered[];
  readonly known: Map<string, ScriptPins>;
}

export function pinDefinitions(definitions: readonly RunDefinition[], reader: PinReader): Pins {
  const pinning: Pinning = { ...reader, inPlace: {}, uncovered: [], known: new Map() };
  for (const definition of definitions) pinDefinition(definition, pinning);
  return { inPlace: pinning.inPlace, uncovered: pinning.uncovered };
}

/** What the modules of the layer import from the project's `node_modules`, which changes with every install. */
export function findPackages(
  root: string,
  sources: ReadonlyMap<string, string>,
  isCovered: (name: string) => boolean,
): Required<Pick<Pins, "packages" | "uncovered">> {
  const found = [...sources]
    .filter(([path]) => isModule(path))
    .flatMap(([path, text]) => listImportedPackages(text).map((one) => ({ ...one, path })))
    .filter(({ name }) => !isCovered(name));
  return {
    packages: [...new Set(found.map(({ name }) => name))].sort(),
    uncovered: found.map(({ path, name, line }) => ({
      where: formatWhere({ file: join(root, path), line }),
      what: `the package \`${name}\`, as it is installed`,
      isOfProject: true,
      paths: [],
    })),
  };
}

function pinDefinition(definition: RunDefinition, pinning: Pinning): void {
  const { run } = definition;
  const found: Found = { definition, runs: [] };
  const visit = (one: FoundRun): null => {
    pinRun(one, { pinning, found, isLine: run.kind === "line" });
    return null;
  };
  if (run.kind === "held") holdFiles(run, { pinning, found });
  if (run.kind === "cassette") holdCassette(run.path, { pinning, found });
  const uncovered = readDefinition(definition, visit);
  for (const { run: one, folders } of uncovered) noteUncovered(one, { pinning, found, folders });
  refuseGuard(found, pinning.root);
  pinning.uncovered.push(...found.runs);
}

function readDefinition(
  { run, env }: RunDefinition,
  visit: (one: FoundRun) => null,
): UncoveredAt[] {
  const variables = Object.entries(env).map(([name, text]) => ({
    name,
    value: { text, kind: "literal" as const },
  }));
  const ofVariables = readVariables(variables).map((one) => ({ run: one, folders: ["."] }));
  if (run.kind === "argv") return [...ofVariables, ...readArgv(run.argv, visit).uncovered];
  if (run.kind === "line") return [...ofVariables, ...readLine(run.line, visit).uncovered];
  if (run.kind !== "foreign") return ofVariables;
  const what = `a line for \`${run.program}\``;
  const foreign = { what, isOfProject: true, files: pathsIn(run.text) };
  return [...ofVariables, { run: foreign, folders: ["."] }];
}

/** Files of a suite are used where they lie, by who asked before whether all is as approved. */
function holdFiles(
  { files, folders }: Extract<RunDefinition["run"], { kind: "held" }>,
  { pinning, found }: PinContext,
): void {
  const { root, watch } = pinning;
  const bases = basesOf({ root, cwd: found.definition.cwd, folders: ["."], isLine: true });
  for (const path of files.flatMap((file) => pathsFrom(root, file, bases))) watch(path);
  const note = (what: string): void => {
    const where = formatWhere(found.definition.where);
    found.runs.push({ where, what, isOfProject: true, paths: [] });
  };
  if (folders.some((folder) => resolve(found.definition.cwd ?? root, folder) === root))
    note("whatever the project holds, as a trial's workspace");
  for (const path of folders.flatMap((folder) => pathsFrom(root, folder, bases))) {
    if (watch(path) || statOf(join(root, path), statSync)?.isDirectory() !== true) continue;
    if (!keepFiles(path, watch, root))
      note(`the folder \`${path}\`, which holds too much to be looked through`);
  }
}

/** The lines in it run in the workspace: what they name there is run as it is. */
function holdCassette(path: string, { pinning, found }: PinContext): void {
  const { root } = pinning;
  const { cwd, where } = found.definition;
  const file = resolve(cwd ?? root, path.replace(/^~(?=\/)/, homedir()));
  const inside = pathInside(root, file);
  const text = inside === null ? null : pinning.pin(inside);
  if (inside === null) {
    const what = `\`${path}\`, which lies outside the project`;
    found.runs.push({ where: formatWhere(where), what, isOfProject: true, paths: [] });
  }
  const lines = [...(text ?? "").matchAll(CASSETTE_LINE)].map(([, line = ""]) => line);
  const files = lines.flatMap(pathsIn);
  const run = { what: `what \`${path}\` runs of the project`, isOfProject: true, files };
  if (files.length > 0)
    noteUncovered({ ...run, needsFiles: true }, { pinning, found, folders: ["."] });
}

/** In YAML or JSON, up to the next key or step. */
const CASSETTE_LINE =
  /\bshell["']?[ \t]*:([\s\S]*?)(?=\n[ \t]*-[ \t]|\n[ \t]*["']?\w+["']?[ \t]*:|$)/g;

/** What was found about one definition. */
interface Found {
  readonly definition: RunDefinition;
  readonly runs: Uncovered[];
}

interface PinContext {
  readonly pinning: Pinning;
  readonly found: Found;
}

function noteUncovered(
  { what, isOfProject, files, needsFiles = false }: UncoveredRun,
  { pinning, found, folders }: PinContext & Pick<UncoveredAt, "folders">,
): void {
  const { root } = pinning;
  const bases = basesOf({ root, cwd: found.definition.cwd, folders, isLine: true });
  const candidates = files.flatMap((file) => pathsFrom(root, file, bases));
  const paths = [...new Set(candidates)].filter((path) => pinning.watch(path));
  // What only may be there, and is not, is nothing to speak of; nor is code that names no file.
  if (paths.length === 0 && files.length > 0 && needsFiles) return;
  // A program of the system that is given a file of the project may well run it.
  const isProject = isOfProject || paths.length > 0;
  found.runs.push({
    where: formatWhere(found.definition.where),
    what,
    isOfProject: isProject,
    paths,
  });
}

function pinRun(run: FoundRun, { pinning, found, isLine }: PinContext & { isLine: boolean }): void {
  const { root } = pinning;
  const where = formatWhere(found.definition.where);
  const { cwd } = found.definition;
  const note = (what: string, paths: readonly string[] = [], isOfProject = true): void => {
    found.runs.push({ where, what, isOfProject, paths });
  };
  const paths = candidatePaths(run, { root, cwd, isLine });
  if (paths.length === 0) noteOutside(run, { root, note });
  if (run.path.startsWith("~")) note(`\`${run.path}\`, which is known only when it runs`);
  if (run.folders.includes(null) && !isAbsolute(run.path))
    note(`\`${run.path}\`, as the folder it is run in is not known`);
  if (found.definition.isLoose) {
    const watched = paths.filter((path) => pinning.watch(path));
    if (watched.length > 0) note(`\`${run.path}\`, which a builtin runs where it lies`, watched);
    return;
  }
  const packages = paths.filter(isPackagePath).filter((path) => pinning.watch(path));
  if (packages.length > 0) note(`\`${run.path}\`, of a package`, packages);
  const files = paths.filter((path) => !isPackagePath(path) && pinning.pin(path) !== null);
  for (const path of files) {
    const key = `${run.by ?? ""} ${path}`;
    const script = pinning.known.get(key) ?? pinScript(path, pinning, run.by ?? null);
    pinning.known.set(key, script);
    if (script.isInPlace) pinning.inPlace[path] = script.files;
    for (const one of script.uncovered)
      noteUncovered(
        { ...one, needsFiles: one.needsFiles ?? true },
        { pinning, found, folders: ["."] },
      );
  }
  const isThere = files.length + packages.length > 0;
  if (!isThere && run.role === "load" && !/^[./]|:/.test(run.path))
    note(`the package \`${run.path}\``);
  if (!isThere && paths.length > 0 && isMade(run.path, textOfRun(found.definition)))
    note(`\`${run.path}\`, which is not there yet`);
  const folder = paths.find((path) => statOf(join(root, path), statSync)?.isDirectory() === true);
  if (!isThere && folder !== undefined) note(`the folder \`${folder}\` as a program`);
}

const textOfRun = ({ run }: RunDefinition): string =>
  run.kind === "line" ? run.line : run.kind === "argv" ? run.argv.join(" ") : "";

function noteOutside(
  run: FoundRun,
  {
    root,
    note,
  }: { root: string; note: (what: string, paths: string[], isOfProject: boolean) => void },
): void {
  if (run.isFirst && !isAbsolute(run.path))
    throw fault(
      "TrustRefused",
      { root, problem: `the program \`${run.path}\` lies outside the project` },
      { hint: "move it into the project, or name it by its absolute path" },
    );
  const isSystem = isSystemPath(run.path);
  note(`\`${run.path}\`, which lies outside the project`, [], !isSystem);
}

/** A guard that can be changed unseen guards nothing. */
function refuseGuard({ definition, runs }: Found, root: string): void {
  const [first] = runs.filter(({ isOfProject }) => isOfProject);
  if (!definition.isGuard || definition.isUnpinned || first === undefined) return;
  throw fault(
    "TrustRefused",
    {
      root,
      problem: `the guard \`${definition.name}\` runs ${first.what}, which trust cannot hold still`,
    },
    {
      where: definition.where,
      hint: "put all it needs into files that it names, or say `unpinned: true` in its entry",
    },
  );
}
