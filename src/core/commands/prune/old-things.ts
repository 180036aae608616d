// What `adj prune` may take away, as each feature finds it. Finding touches nothing.
import { lstatSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { listFolder, listReadable, statOf } from "../../project/files.ts";
import type { BundledContext } from "../bundled.ts";

export interface PruneSearch extends BundledContext {
  /** What ended before is old. */
  readonly before: Date;
}

/** Things of one kind that are old and that nobody uses. */
export interface OldThings {
  /** In the plural: `runs of agents`. */
  readonly what: string;
  readonly count: number;
  /** Null where it is not known: rows of a database. */
  readonly bytes: number | null;
  /** Why some that are old are not among them; null where none is. */
  readonly note: string | null;
  /** How many went. What somebody began to use meanwhile stays. */
  remove(): Promise<number> | number;
}

/** Files and folders that are taken away as a whole, where there are any. */
export function oldFiles(what: string, paths: readonly string[]): OldThings[] {
  if (paths.length === 0) return [];
  return [
    {
      what,
      count: paths.length,
      bytes: paths.reduce((sum, path) => sum + sizeOf(path), 0),
      note: null,
      remove: () => {
        for (const path of paths) rmSync(path, { recursive: true, force: true });
        return paths.length;
      },
    },
  ];
}

/** What lies directly in a folder and was not written to since. */
export const listUntouched = (folder: string, before: Date): string[] =>
  listFolder(folder)
    .map((name) => join(folder, name))
    .filter((path) => {
      const newest = newestIn(path);
      return newest !== null && newest < before.getTime();
    });

/** When anything in it was last written to; null where it is not there. */
export function newestIn(path: string): number | null {
  let newest: number | null = null;
  visitFiles(path, ({ mtimeMs }) => {
    newest = Math.max(newest ?? 0, mtimeMs);
  });
  return newest;
}

function sizeOf(path: string): number {
  let bytes = 0;
  visitFiles(path, (stat) => {
    bytes += stat.isDirectory() ? 0 : stat.size;
  });
  return bytes;
}

/** Links are looked at, never followed; what somebody else takes away at the moment is passed over. */
function visitFiles(path: string, visit: (stat: Stats) => void): void {
  const stat = statOf(path, lstatSync);
  if (stat === null) return;
  visit(stat);
  if (!stat.isDirectory()) return;
  for (const name of listReadable(path)) visitFiles(join(path, name), visit);
}
