// The files that a rule protects: whether a path is one of them, and whether a folder holds any.

import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { statOf } from "../../../core/project/files.ts";
import { isInside } from "../../../core/project/paths.ts";
import {
  type PathContext,
  pathsBelow,
  placesOfPath,
  type ResolvedPath,
  resolveBoth,
  splitPattern,
} from "../../match/paths.ts";
import type { LookLimit } from "./look-limit.ts";

interface ProtectedPatterns {
  readonly paths: readonly string[];
  readonly except: readonly string[];
}

/** Which of the files below a folder a program opens. */
export interface FolderReading {
  /** Tells one way of reading from another. */
  readonly key: string;
  /** False for names that the program passes over: `--include`, hidden files. */
  readonly opens: (name: string, isFolder: boolean) => boolean;
  readonly followsLinks: boolean;
  /** The folder goes as a whole: outside of the project that is `rm`'s business, and a name alone protects nothing of it. */
  readonly isDeletion?: boolean;
}

export interface ProtectedFiles {
  covers(path: ResolvedPath): boolean;
  /** Whether a file of that name may be one, wherever it is. */
  mayBeNamed(name: string): boolean;
  /** A protected file that somebody would open who reads the folder with all that is in it; null where there is none. */
  findBelow(folder: string, reading: FolderReading, limit: LookLimit): string | null;
}

interface PatternBase {
  /** The fixed folder that the pattern begins with, links followed. */
  readonly folder: string;
  readonly written: string;
  /** The name counts wherever it is. */
  readonly isAnywhere: boolean;
  /** What every name that it can match begins and ends with; null where the folder itself is all it means. */
  readonly name: NamePattern | null;
}

interface NamePattern {
  readonly start: string;
  readonly end: string;
}

export function protectedFiles(
  { paths: given, except }: ProtectedPatterns,
  root: PathContext,
): ProtectedFiles {
  const paths = given.map(asFolder);
  const isMeant = pathsBelow(paths.map(asAbsolute), root);
  const isExcepted = pathsBelow(except.map(asAbsolute), root);
  const bases = paths.map((pattern) => baseOf(pattern, root));
  const covers = (path: ResolvedPath): boolean =>
    [path.written, ...placesOfPath(path)].some((each) => mayMean(bases, each)) &&
    isMeant(path) &&
    !isExcepted(path);
  return {
    covers,
    mayBeNamed: (name) =>
      bases.some((base) =>
        base.name === null ? basename(base.folder) === name : fits(base.name, name),
      ),
    findBelow: (folder, reading, limit) => findBelow({ folder, bases, covers, reading, limit }),
  };
}

/** More patterns, of files that count where they are touched by name and not inside of a folder. */
export function withNames(
  files: ProtectedFiles,
  patterns: readonly string[],
  root: PathContext,
): ProtectedFiles {
  if (patterns.length === 0) return files;
  const named = protectedFiles({ paths: patterns, except: [] }, root);
  return {
    ...files,
    covers: (path) => files.covers(path) || named.covers(path),
    mayBeNamed: (name) => files.mayBeNamed(name) || named.mayBeNamed(name),
  };
}

// A pattern that begins with two stars is meant for any folder of the machine, every other for the project.

/** `secrets/**` is `secrets`: who reads or moves the folder does so with all that is in it. */
export const asFolder = (pattern: string): string =>
  pattern.replace(/(?<=[^/*])(?:\/\*\*)+\/?$/, "");

const isForAnywhere = (pattern: string): boolean => pattern.startsWith("**/");

const asAbsolute = (pattern: string): string => (isForAnywhere(pattern) ? `/${pattern}` : pattern);

/** A quick no for the many paths that no pattern can mean: a glob against each of them would take too long. */
const mayMean = (bases: readonly PatternBase[], path: string): boolean =>
  bases.some(({ folder, name, written }) =>
    name === null
      ? isInside(path, folder) || isInside(path, written)
      : path.split("/").some((part) => fits(name, part)),
  );

const fits = ({ start, end }: NamePattern, name: string): boolean =>
  name.startsWith(start) && name.endsWith(end);

function baseOf(pattern: string, root: PathContext): PatternBase {
  const { base, rest } = splitPattern(pattern);
  const { real: folder, written } = resolveBoth(base === "" ? "." : base, root);
  const place = { folder, written, isAnywhere: isForAnywhere(pattern) };
  if (rest === "") return { ...place, name: null };
  if (/[{\\]/.test(rest)) return { ...place, name: { start: "", end: "" } };
  const last =
    rest
      .replace(/(\/\*\*)+$/, "")
      .split("/")
      .at(-1) ?? "";
  const start = /^[^*?[]*/.exec(last)?.[0] ?? "";
  const end = start === last ? last : (/[^*?\]]*$/.exec(last)?.[0] ?? "");
  return { ...place, name: { start, end } };
}

interface FolderSearch {
  readonly folder: string;
  readonly bases: readonly PatternBase[];
  readonly covers: ProtectedFiles["covers"];
  readonly reading: FolderReading;
  readonly limit: LookLimit;
}

function findBelow({ folder, bases, covers, reading, limit }: FolderSearch): string | null {
  const fixed = bases.find(
    (base) =>
      base.name === null &&
      isInside(base.folder, folder) &&
      existsSync(base.folder) &&
      coversReal(covers, base.folder) &&
      isReached(base.folder, { folder, covers, reading, limit }),
  );
  if (fixed !== undefined) return fixed.folder;
  const isOthers = SYSTEM_FOLDER.test(folder) || reading.isDeletion === true;
  const names = bases.flatMap(({ folder: base, name, isAnywhere }) =>
    name !== null && (isInside(base, folder) || isInside(folder, base) || (isAnywhere && !isOthers))
      ? [name]
      : [],
  );
  return names.length === 0 ? null : walk({ folder, names, covers, reading, limit });
}

/** The reading that opens everything. */
export const ALL_KEY = "all";

/** What the system put there is not a person's secret, and there is too much of it to be looked at. */
const SYSTEM_FOLDER = /^\/(usr|lib\w*|bin|sbin|proc|sys|nix|opt\/homebrew)(\/|$)/;

const coversReal = (covers: ProtectedFiles["covers"], real: string): boolean =>
  covers({ written: real, real });

/**
 * Whether somebody who goes through the folder comes to the path, and opens it or what is in it. With names it is one of
 * them, is in a folder that is, or has files that are: `find . -name '*.tmp' -delete` goes past a protected folder.
 */
function isReached(path: string, { folder, ...search }: Omit<FolderSearch, "bases">): boolean {
  const { key, opens } = search.reading;
  const way = path
    .slice(folder.length)
    .split("/")
    .filter((name) => name !== "");
  if (!way.every((name) => opens(name, true))) return false;
  if (key === ALL_KEY || way.some((name) => opens(name, false))) return true;
  const isFolder = statOf(path, statSync)?.isDirectory() === true;
  return isFolder && walk({ ...search, folder: path, names: [{ start: "", end: "" }] }) !== null;
}

type Walk = Omit<FolderSearch, "bases"> & {
  readonly names: readonly NamePattern[];
};

/** Nearest first: what is protected mostly stands at the top. */
function walk({ folder, names, covers, reading, limit }: Walk): string | null {
  const queue = [folder];
  for (let at = 0; at < queue.length; at++) {
    const current = queue[at] ?? folder;
    const entries = listFolder(current);
    limit.take(entries.length, `\`${folder}\``);
    for (const entry of entries) {
      const path = join(current, entry.name);
      const isFolder = entry.isDirectory();
      if (!reading.opens(entry.name, isFolder)) continue;
      if (names.some((each) => fits(each, entry.name)) && coversReal(covers, path)) {
        if (!isFolder || isReached(path, { folder: current, covers, reading, limit })) return path;
      } else if (isFolder) queue.push(path);
      else if (entry.isSymbolicLink() && reading.followsLinks) {
        const leads = resolveBoth(path, { folder: current, home: current });
        if (covers(leads)) return path;
        if (queue.length < MAX_LINKED && !isInside(path, leads.real)) queue.push(path);
      }
    }
  }
  return null;
}

const MAX_LINKED = 10_000;

function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // No folder, or one that the line cannot read either.
    return [];
  }
}
