// What Node compiled before is kept by the process that asked for it; its threads and children have to ask again, by themselves
// and before they load anything.
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/** For a thread or child to be told; null where this process keeps nothing. */
export function findCompileCache(): string | null {
  const folder = getCompileCacheDir();
  // Below it there is a folder for each version of Node.
  return folder === undefined ? null : dirname(folder);
}

export function shareCompileCache(folder: string | null): void {
  if (folder !== null) enableCompileCache(folder);
}
