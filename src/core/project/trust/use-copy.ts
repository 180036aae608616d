// A project's programs as they were approved: what an argv or a shell line names is run from the copy, or where it lies
// while it is still what was approved.
import { statSync } from "node:fs";
import { join } from "node:path";
import { fault } from "../../command/fault.ts";
import { hasSameContent, statOf } from "../files.ts";
import { candidatePaths, isPackagePath, pathInside } from "./candidate-paths.ts";
import type { Pins } from "./pins.ts";
import { type FoundRun, readArgv, readLine } from "./program-line.ts";
import { type CopiedProject, readPins } from "./store.ts";

export interface TrustedProject extends CopiedProject {
  /** Where the program will run. */
  readonly workingDirectory: string;
}

/** The same words with the project's own files taken from the copy; throws `ProgramChanged`. */
export function trustArgv(argv: readonly string[], project: TrustedProject): readonly string[] {
  const pins = pinsOf(project);
  return readArgv(argv, (run) => findApproved(run, { ...project, pins, isLine: false })).line;
}

/** The same for a line of a POSIX shell. */
export function trustLine(line: string, project: TrustedProject): string {
  const pins = pinsOf(project);
  return readLine(line, (run) => findApproved(run, { ...project, pins, isLine: true })).line;
}

/** A file of the project as it was approved, by its absolute path; others are left as they are. */
export function trustFile(path: string, project: CopiedProject): string {
  const inside = pathInside(project.root, path);
  if (inside === null) return path;
  const approved = join(project.copyDir, inside);
  if (isFile(approved)) return approved;
  if (isFile(path)) requireUnchanged(inside, project);
  return path;
}

const pinsOf = ({ copyDir }: TrustedProject): Pins =>
  readPins(copyDir) ?? { inPlace: {}, uncovered: [] };

interface Search extends TrustedProject {
  readonly pins: Pins;
  readonly isLine: boolean;
}

function findApproved(run: FoundRun, search: Search): string | null {
  const { root, copyDir, pins, isLine, workingDirectory: cwd } = search;
  // Which file it is shows only when it runs; `adj trust` listed it as not covered.
  if (run.folders.includes(null) && !run.path.startsWith("/")) return null;
  const paths = candidatePaths(run, { root, cwd, isLine });
  const ofPackage = paths.find((path) => isPackagePath(path) && isFile(join(root, path)));
  if (ofPackage !== undefined) return join(root, ofPackage);
  const inPlace = paths.find((path) => Object.hasOwn(pins.inPlace, path));
  if (inPlace !== undefined) {
    for (const path of pins.inPlace[inPlace] ?? []) requireUnchanged(path, search);
    return join(root, inPlace);
  }
  const approved = paths.find((path) => isFile(join(copyDir, path)));
  const canReplace = run.canReplace && run.folders.length === 1;
  if (approved !== undefined && canReplace) return join(copyDir, approved);
  for (const path of paths) if (isFile(join(root, path))) requireUnchanged(path, search);
  // The program itself is looked for in the copy whether it is there or not.
  return run.isFirst && paths[0] !== undefined ? join(copyDir, paths[0]) : null;
}

const isFile = (path: string): boolean => statOf(path, statSync)?.isFile() === true;

function requireUnchanged(path: string, { root, copyDir }: CopiedProject): void {
  const now = join(root, path);
  if (hasSameContent(now, join(copyDir, path))) return;
  throw fault(
    "ProgramChanged",
    { path: now },
    { hint: "look at it with `adj trust --diff`, then `adj trust`" },
  );
}
