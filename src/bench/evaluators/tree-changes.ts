// Two folders compared file by file. No git: an agent may have committed, or removed the repository.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as letOthersRun } from "node:timers/promises";
import { compareEntries, compareLongFiles } from "./same-file.ts";

export interface TreeChange {
  /** Relative, with `/`. */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
}

/** Git's own files are how a workspace was made, not what is in it. */
const IGNORED: ReadonlySet<string> = new Set([".git"]);

export async function listFiles(folder: string): Promise<string[]> {
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

/** Short files are read at once, which is many times cheaper; so many of them before others have their turn. */
const AT_ONCE = 100;

export async function compareTrees(base: string, after: string): Promise<TreeChange[]> {
  const [before, now] = await Promise.all([listFiles(base), listFiles(after)]);
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
