// A project's program as it was approved. What it names is run from the trusted copy; what a shell
// finds for itself in the working tree must still be what was approved.
import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fault } from "../command/fault.ts";
import { errorCode } from "../config/file-problem.ts";
import { statOf } from "../config/fingerprint.ts";
import { candidatePaths, pathInside } from "../config/named-programs.ts";
import { programPlaces, shellFiles } from "../config/program-files.ts";
import { LAYER_FOLDER } from "../config/project-root.ts";
import { readRegularFile } from "../config/regular-file.ts";
import type { ProgramDefinition } from "./program-definition.ts";

export interface ProjectPlaces {
  /** The project as its owner knows it. */
  readonly root: string;
  /** The copy that mirrors it. */
  readonly copyDir: string;
  /** Where the program will run. */
  readonly workingDirectory: string;
}

/** The same definition with the project's own files taken from the copy; throws `ProgramChanged`. */
export function placeProgram(
  definition: ProgramDefinition,
  project: ProjectPlaces,
): ProgramDefinition {
  const places = { ...project, workingDirectory: definition.cwd ?? project.workingDirectory };
  if (definition.kind === "argv") {
    const { argv, argvWindows } = definition;
    return {
      ...definition,
      argv: placeWords(argv, places),
      argvWindows: argvWindows && placeWords(argvWindows, places),
    };
  }
  for (const word of shellFiles(definition.command)) checkWord(word, places);
  const { shell } = definition;
  if (typeof shell === "string") return definition;
  const [program = "", ...args] = placeWords([shell.program, ...shell.args], places);
  return { ...definition, shell: { program, args } };
}

function placeWords(argv: readonly string[], places: ProjectPlaces): string[] {
  const executed = new Set(programPlaces(argv));
  return argv.map((word, place) => {
    if (!executed.has(place)) return word;
    return place === 0 ? placeFirst(word, places) : placeScript(word, places);
  });
}

/** The program itself is looked for beside its file, and in the copy whether it is there or not. */
function placeFirst(word: string, { root, copyDir }: ProjectPlaces): string {
  const path = pathInside(root, resolve(root, LAYER_FOLDER, word));
  return path === null ? word : join(copyDir, path);
}

function placeScript(word: string, places: ProjectPlaces): string {
  const approved = candidates(word, places)
    .map((path) => join(places.copyDir, path))
    .find((path) => isFile(path));
  if (approved === undefined) checkWord(word, places);
  return approved ?? word;
}

const candidates = (word: string, { root, workingDirectory }: ProjectPlaces): string[] =>
  candidatePaths(root, word, workingDirectory);

const isFile = (path: string): boolean => statOf(path, statSync)?.isFile() === true;

/** Whatever this word may lead to in the working tree is what was approved. */
function checkWord(word: string, places: ProjectPlaces): void {
  for (const path of candidates(word, places)) {
    const now = join(places.root, path);
    if (isFile(now) && !isSame(now, join(places.copyDir, path)))
      throw fault(
        "ProgramChanged",
        { path: now },
        { hint: "look at it with `adj trust --diff`, then `adj trust`" },
      );
  }
}

function isSame(now: string, approved: string): boolean {
  try {
    const read = (path: string): Buffer => readRegularFile(realpathSync.native(path));
    return statSync(now).size === statSync(approved).size && read(now).equals(read(approved));
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return false;
  }
}
