// Whether anybody touched a folder, without reading it: a change cannot be made without a new ctime.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

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
