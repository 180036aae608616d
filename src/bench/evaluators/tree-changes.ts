// Two folders compared file by file. No git: an agent may have committed, or removed the repository.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";

export interface TreeChange {
  /** Relative, with `/`. */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
}

/** Git's own files are how a workspace was made, not what is in it. */
const IGNORED: ReadonlySet<string> = new Set([".git"]);

export async function listFiles(folder: string, below = ""): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const lists = await Promise.all(
    entries
      .filter(({ name }) => below !== "" || !IGNORED.has(name))
      .map(async (entry) => {
        const path = below === "" ? entry.name : `${below}/${entry.name}`;
        return entry.isDirectory() ? listFiles(folder, path) : [path];
      }),
  );
  return lists.flat().toSorted();
}

export async function compareTrees(base: string, after: string): Promise<TreeChange[]> {
  const [before, now] = await Promise.all([listFiles(base), listFiles(after)]);
  const known = new Set(before);
  const left = new Set(now);
  const changes: TreeChange[] = [];
  for (const path of before) if (!left.has(path)) changes.push({ path, kind: "removed" });
  for (const path of now) {
    if (!known.has(path)) changes.push({ path, kind: "added" });
    else if ((await stampOf(join(base, path))) !== (await stampOf(join(after, path))))
      changes.push({ path, kind: "changed" });
  }
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Whatever cannot be read is its own reason: it then differs from what could. */
async function stampOf(path: string): Promise<string> {
  try {
    const stat = await lstat(path);
    if (stat.isSymbolicLink()) return `link ${await readlink(path)}`;
    if (!stat.isFile()) return `other ${stat.mode & 0o170000}`;
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    return `${stat.mode & 0o111 ? "x" : "-"} ${stat.size} ${hash.digest("hex")}`;
  } catch (error) {
    return `unreadable ${error instanceof Error ? error.message : String(error)}`;
  }
}
