// Two folders compared file by file. No git: an agent may have committed, or removed the repository.
import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { type FileHandle, lstat, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as letOthersRun } from "node:timers/promises";
import { fileErrorCode, statOf } from "../../core/project/files.ts";
import { isGlob, matchGlob } from "../../core/project/glob.ts";

export interface TreeChange {
  /** Relative, with `/`. */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
}

/** Whether a path is meant by a glob of the suite: by a folder's name all below it. */
export function matchesPath(path: string, glob: string): boolean {
  const pattern = glob.replace(/^\.\//, "").replace(/\/$/, "");
  if (matchGlob(pattern, path, { style: "path" })) return true;
  return !isGlob(pattern) && path.startsWith(`${pattern}/`);
}

/** Git's own files are how a workspace was made, not what is in it. */
const IGNORED: ReadonlySet<string> = new Set([".git"]);

export async function listTreeFiles(folder: string): Promise<string[]> {
  return (await listBelow(folder, "")).toSorted();
}

async function listBelow(folder: string, below: string): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const lists = await Promise.all(
    entries
      .filter(({ name }) => below !== "" || !IGNORED.has(name))
      .map((entry) => {
        const path = below === "" ? entry.name : `${below}/${entry.name}`;
        return entry.isDirectory() ? listBelow(folder, path) : [path];
      }),
  );
  return lists.flat();
}

/**
 * Takes away the links by which an agent would have those who grade read what it may not read itself: to them a link is
 * the file it leads to. Links that were there before it stay.
 */
export async function removeLinks(
  folder: string,
  base: string,
  isKeptFrom: (target: string, path: string) => boolean,
): Promise<void> {
  const textOf = (path: string): string | null =>
    statOf(path, lstatSync)?.isSymbolicLink() === true ? readlinkSync(path) : null;
  for (const path of await listTreeFiles(folder)) {
    const link = join(folder, path);
    const text = textOf(link);
    if (text === null || text === textOf(join(base, path)) || statOf(link, statSync) === null)
      continue;
    if (isKeptFrom(realpathSync(link), path)) await rm(link);
  }
}

/** Short files are read at once, which is many times cheaper; so many of them before others have their turn. */
const AT_ONCE = 100;

/** Of the paths that are meant, which are all by default. */
export async function compareTrees(
  base: string,
  after: string,
  isMeant: (path: string) => boolean = () => true,
): Promise<TreeChange[]> {
  const lists = await Promise.all([listTreeFiles(base), listTreeFiles(after)]);
  const [before, now] = [lists[0].filter(isMeant), lists[1].filter(isMeant)];
  const known = new Set(before);
  const left = new Set(now);
  const changes: TreeChange[] = before
    .filter((path) => !left.has(path))
    .map((path) => ({ path, kind: "removed" }));
  for (const [at, path] of now.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await letOthersRun();
    if (!known.has(path)) changes.push({ path, kind: "added" });
    else if (!(await isSame(join(base, path), join(after, path))))
      changes.push({ path, kind: "changed" });
  }
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function isSame(one: string, other: string): boolean | Promise<boolean> {
  const comparison = compareEntries(one, other);
  return comparison === "long" ? compareLongFiles(one, other) : comparison === "same";
}

// Whether two paths hold the same: the cheapest sign first, the bytes last.

const LONG_FILE_BYTES = 128 * 1024;

/** Never follows a link. Whatever cannot be read differs from what can. */
function compareEntries(one: string, other: string): "same" | "different" | "long" {
  const [first, second] = [statOrError(one), statOrError(other)];
  if (typeof first === "string" || typeof second === "string")
    return nameComparison(first === second);
  if (kindOf(first) !== kindOf(second)) return "different";
  if (first.isSymbolicLink()) return nameComparison(readlinkSync(one) === readlinkSync(other));
  if (!first.isFile()) return "same";
  if (first.size !== second.size) return "different";
  if (first.size > LONG_FILE_BYTES) return "long";
  if (first.size === 0) return "same";
  const [bytes, others] = [readBytes(one), readBytes(other)];
  if (typeof bytes === "string" || typeof others === "string")
    return nameComparison(bytes === others);
  return nameComparison(bytes.equals(others));
}

const nameComparison = (isSame: boolean) => (isSame ? "same" : "different");

/** Of the rights of a file only whether it is a program, as in git. */
const kindOf = (stats: Stats): string =>
  `${stats.mode & 0o170000} ${stats.isFile() && (stats.mode & 0o111) !== 0}`;

const statOrError = (path: string): Stats | string => orItsError(() => lstatSync(path));
const readBytes = (path: string): Buffer | string => orItsError(() => readFileSync(path));

function orItsError<Value>(look: () => Value): Value | string {
  try {
    return look();
  } catch (error) {
    return fileErrorCode(error) ?? String(error);
  }
}

/** Two files of the same size, piece by piece. */
async function compareLongFiles(one: string, other: string): Promise<boolean> {
  await using first = await open(one);
  await using second = await open(other);
  const [here, there] = [Buffer.allocUnsafe(LONG_FILE_BYTES), Buffer.allocUnsafe(LONG_FILE_BYTES)];
  for (;;) {
    const [length, otherLength] = [await fill(first, here), await fill(second, there)];
    if (!here.subarray(0, length).equals(there.subarray(0, otherLength))) return false;
    if (length < LONG_FILE_BYTES) return true;
  }
}

/** A read may bring less than there is. */
async function fill(file: FileHandle, buffer: Buffer): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

// Whether anybody touched a folder, without reading it: a change cannot be made without a new ctime.

/** Equal before and after where nothing below was written, replaced, added or removed. */
export async function stampTree(path: string): Promise<string> {
  const { ino, size, mode, ctimeNs } = await lstat(path, { bigint: true });
  const own = `${path} ${ino} ${size} ${mode} ${ctimeNs}`;
  if ((Number(mode) & 0o170000) !== 0o040000) return own;
  const names = (await readdir(path)).toSorted();
  const below = await Promise.all(names.map((name) => stampTree(join(path, name))));
  return [own, ...below].join("\n");
}

/** A path that is gone has another stamp than one that is there. */
export const stampPaths = async (paths: readonly string[]): Promise<string> =>
  (await Promise.all(paths.map((path) => stampTree(path).catch(() => `${path} is gone`)))).join(
    "\n",
  );
