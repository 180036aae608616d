import { createHash } from "node:crypto";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const ENTRY_LIMIT = 100_000;

/** A mark that changes when any file below the folder does; null where it is too large to tell. */
export async function markWorkspace(folder: string): Promise<string | null> {
  const hash = createHash("sha256");
  const open = [folder];
  let entries = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const names = await readdir(next).catch(() => []);
    for (const name of names.sort()) {
      if (++entries > ENTRY_LIMIT) return null;
      const path = join(next, name);
      const seen = await lstat(path, { bigint: true }).catch(() => null);
      hash.update(`${path}\0${seen?.mode}\0${seen?.size}\0${seen?.mtimeNs}\0${seen?.ino}\n`);
      if (seen?.isDirectory() && name !== ".git") open.push(path);
    }
  }
  return hash.digest("hex");
}
