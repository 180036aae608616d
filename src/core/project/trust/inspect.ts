// Trust of a project's layer. Its code always runs from the copy a person approved, so an edit of
// the working tree can neither slip code in nor switch anything off before it is approved too.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Fault, type FaultReport, reportFault } from "../../command/fault.ts";
import { escapeLine } from "../../command/words.ts";
import { hasSameContent, statOf } from "../files.ts";
import { fileFingerprint, linkFingerprint } from "../fingerprint.ts";
import { parseJson } from "../json-value.ts";
import { LAYER_FOLDER } from "../paths.ts";
import { pathInside } from "./candidate-paths.ts";
import {
  copyFolder,
  isApproved,
  readApprovedHashes,
  readCurrentHash,
  readPins,
  readSnapshot,
  switchCurrentHash,
  trustFolder,
  writeSnapshot,
} from "./store.ts";
import type { Tree } from "./tree.ts";

export type TrustState =
  /** There is no `.adjutant`. */
  | { readonly kind: "none" }
  /** Never approved; not looked into either. */
  | { readonly kind: "untrusted" }
  | {
      readonly kind: "trusted";
      readonly copyDir: string;
      readonly hash: string;
      /** Files that no copy stands in for and that differ from what was approved; they run as they are. */
      readonly asIs: readonly string[];
    }
  /** The working tree differs from every approved state; the copy stays in force. */
  | {
      readonly kind: "changed";
      readonly copyDir: string;
      readonly hash: string;
      /** Null when the tree is such that it cannot be trusted, for this reason. */
      readonly currentHash: string | null;
      readonly problem: FaultReport | null;
      readonly asIs: readonly string[];
      /** It was approved by a version that covered less. */
      readonly isOlder: boolean;
      /** Something runs as it is of which nobody can say which files it is made of. */
      readonly hasUnknown?: boolean;
    };

/** The same for guards: where `.adjutant` was removed, those of the last approved state stay in force. */
export type GuardState =
  | TrustState
  | { readonly kind: "removed"; readonly copyDir: string; readonly hash: string };

export interface InspectOptions {
  /** A file of the working tree that is about to be used and so is always looked at. */
  readonly file?: string;
}

const MAX_NAMED = 3;

/** What is in force after a change and what runs as it is now, for a person; null where nothing changed. */
export function describeTrustChange(
  state: GuardState,
  inForce = "what you trusted stays in force",
): string | null {
  if (state.kind !== "trusted" && state.kind !== "changed") return null;
  const { asIs } = state;
  if (state.kind === "changed" && state.isOlder)
    return `this project was trusted by an older version, which covered less; ${inForce}, and what it did not cover does not run`;
  if (asIs.length === 0)
    return state.kind === "trusted"
      ? null
      : `this project changed since you trusted it; ${inForce}${state.hasUnknown === true ? ", but for what is listed there as not covered" : ""}`;
  const named = asIs.slice(0, MAX_NAMED).map((path) => `\`${escapeLine(path)}\``);
  const all = `${named.join(", ")}${asIs.length > MAX_NAMED ? ` and ${asIs.length - MAX_NAMED} more` : ""}`;
  const [run, them] = asIs.length === 1 ? ["runs as it is", "it"] : ["run as they are", "them"];
  return state.kind === "trusted"
    ? `${all} changed since you trusted this project and ${run} now: no copy stands in for ${them}`
    : `this project changed since you trusted it; ${inForce}, but ${all} ${run} now: no copy stands in for ${them}`;
}

/** Cheap while nothing changed: a few stats. A change makes it read what changed. */
export async function inspectTrust(
  root: string,
  stateDir: string,
  options: InspectOptions = {},
): Promise<TrustState> {
  if (statOf(join(root, LAYER_FOLDER), lstatSync) === null) return { kind: "none" };
  const folder = trustFolder(stateDir, root);
  const inForce = readCurrentHash(folder);
  if (inForce === null) return { kind: "untrusted" };
  const current = await hashWorkingTree(root, folder, options.file ?? null);
  const state = decideTrust({
    folder,
    inForce,
    current,
    isApproved: (hash) => isApproved(folder, hash),
  });
  if (state.kind === "changed") return describeChange(root, folder, state);
  if (state.kind === "trusted" && state.hash !== inForce)
    switchCurrentHash(folder, state.hash, new Date().toISOString());
  return state;
}

/** The hash of the working tree as it is now, or why it has none. */
type CurrentHash =
  | { readonly hash: string }
  | { readonly hash: null; readonly problem: FaultReport };

async function hashWorkingTree(
  root: string,
  folder: string,
  file: string | null,
): Promise<CurrentHash> {
  const text = readSnapshot(folder);
  const seen = text === null ? null : parseSnapshot(text);
  const path = file === null ? null : pathInside(root, file);
  if (seen !== null && matchesSnapshot(root, seen, path)) return { hash: seen.hash };
  try {
    // What a change takes to be read is not loaded while there is none.
    const { readTree } = await import("./tree.ts");
    const tree = await readTree(root, seen === null ? {} : { known: knownHashes(seen) });
    writeSnapshot(folder, formatSnapshot(tree));
    return { hash: tree.hash };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { hash: null, problem: reportFault(error) };
  }
}

interface TrustFacts {
  readonly folder: string;
  readonly inForce: string;
  readonly current: CurrentHash;
  readonly isApproved: (hash: string) => boolean;
}

function decideTrust({ folder, inForce, current, isApproved }: TrustFacts): TrustState {
  const { hash } = current;
  if (hash !== null && (hash === inForce || isApproved(hash)))
    return { kind: "trusted", copyDir: copyFolder(folder, hash), hash, asIs: [] };
  return {
    kind: "changed",
    copyDir: copyFolder(folder, inForce),
    hash: inForce,
    currentHash: hash,
    problem: current.hash === null ? current.problem : null,
    asIs: [],
    isOlder: false,
  };
}

type ChangedState = Extract<TrustState, { kind: "changed" }>;

/** Where only such files changed as no copy stands in for, all that was approved is as it was. */
function describeChange(root: string, folder: string, state: ChangedState): TrustState {
  const { copyDir, hash } = state;
  const pins = readPins(copyDir);
  if (pins === null) return { ...state, isOlder: true };
  const loose = new Set(pins.uncovered.flatMap(({ paths }) => paths));
  const asIs = [...loose].filter((path) => !hasSameContent(join(root, path), join(copyDir, path)));
  const others = state.currentHash === null ? null : changedPaths(folder, hash);
  // None where a file may now be executed: that is a change, too.
  const isOnlyLoose = others?.every((path) => loose.has(path)) === true && others.length > 0;
  const hasUnknown = pins.uncovered.some((one) => one.isOfProject && one.paths.length === 0);
  return isOnlyLoose ? { kind: "trusted", copyDir, hash, asIs } : { ...state, asIs, hasUnknown };
}

/** The paths that differ between the tree as it was just read and an approved state; null where that is not known. */
function changedPaths(folder: string, hash: string): string[] | null {
  const text = readSnapshot(folder);
  const seen = text === null ? null : parseSnapshot(text);
  const approved = readApprovedHashes(folder, hash);
  if (seen === null || approved === null) return null;
  const now = new Map(allLines(seen).map((line) => [line?.path ?? "", line?.sha256]));
  const paths = new Set([...now.keys(), ...approved.keys()]);
  return [...paths].filter((path) => now.get(path) !== approved.get(path));
}

// The working tree as it was last read, in a form in which one file is found without parsing the rest.

interface TreeSnapshot {
  readonly hash: string;
  readonly folders: Readonly<Record<string, string | null>>;
  readonly programs: Readonly<Record<string, string | null>>;
  readonly fileCount: number;
  /** One line per file, each after a line break: `["path","fingerprint","sha256",isSource]`. */
  readonly lines: string;
}

/** So many files are looked at every time; of a larger tree its folders, programs and the file asked for. */
const MAX_FILES_CHECKED = 256;

export function formatSnapshot(tree: Tree): string {
  const { hash, folders, programs, files } = tree;
  const head = JSON.stringify({ hash, folders, programs, fileCount: files.length });
  const lines = files.map(({ path, fingerprint, sha256, isSource }) =>
    JSON.stringify([path, fingerprint, sha256, isSource ? 1 : 0]),
  );
  return [head, ...lines, ""].join("\n");
}

/** Null for a text that is not ours; the tree is then read again. */
function parseSnapshot(text: string): TreeSnapshot | null {
  const end = text.indexOf("\n");
  const head = parseJson(text.slice(0, end));
  if (end < 0 || !isSnapshotHead(head)) return null;
  return { ...head, lines: text.slice(end) };
}

const isSnapshotHead = (value: unknown): value is Omit<TreeSnapshot, "lines"> =>
  typeof value === "object" &&
  value !== null &&
  "hash" in value &&
  typeof value.hash === "string" &&
  "folders" in value &&
  isMapOfStats(value.folders) &&
  "programs" in value &&
  isMapOfStats(value.programs) &&
  "fileCount" in value &&
  typeof value.fileCount === "number";

const isMapOfStats = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((stat) => stat === null || typeof stat === "string");

interface SnapshotLine {
  readonly path: string;
  readonly fingerprint: string;
  readonly sha256: string;
  /** Its text is needed again; so is that of a line which an older version wrote. */
  readonly isSource: boolean;
}

function parseLine(line: string): SnapshotLine | null {
  const value = parseJson(line);
  if (!Array.isArray(value)) return null;
  const [path, fingerprint, sha256, isSource]: unknown[] = value;
  return typeof path === "string" && typeof fingerprint === "string" && typeof sha256 === "string"
    ? { path, fingerprint, sha256, isSource: isSource !== 0 }
    : null;
}

function findLine(seen: TreeSnapshot, path: string): SnapshotLine | null {
  const start = seen.lines.indexOf(`\n[${JSON.stringify(path)},`);
  if (start < 0) return null;
  return parseLine(seen.lines.slice(start + 1, seen.lines.indexOf("\n", start + 1)));
}

/** What `readTree` need not hash again. */
function knownHashes(seen: TreeSnapshot): (path: string, fingerprint: string) => string | null {
  const byPath = new Map(allLines(seen).map((line) => [line?.path, line]));
  return (path, fingerprint) => {
    const line = byPath.get(path);
    return line?.fingerprint === fingerprint && !line.isSource ? line.sha256 : null;
  };
}

const allLines = (seen: TreeSnapshot): (SnapshotLine | null)[] =>
  seen.lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseLine(line));

/** Whether stats alone show no difference; `path` is a file of particular interest, from the root. */
function matchesSnapshot(root: string, seen: TreeSnapshot, path: string | null): boolean {
  return (
    Object.entries(seen.folders).every(
      ([folder, stat]) => stat !== null && linkFingerprint(join(root, folder)) === stat,
    ) &&
    Object.entries(seen.programs).every(
      ([program, stat]) => fileFingerprint(join(root, program)) === stat,
    ) &&
    linesToCheck(seen, path).every(
      (line) => line !== null && linkFingerprint(join(root, line.path)) === line.fingerprint,
    )
  );
}

function linesToCheck(seen: TreeSnapshot, path: string | null): (SnapshotLine | null)[] {
  if (seen.fileCount > MAX_FILES_CHECKED) return path === null ? [] : [findLine(seen, path)];
  // A program outside the layer was looked at above, through its links.
  return allLines(seen).filter((line) => line === null || line.path.startsWith(`${LAYER_FOLDER}/`));
}
