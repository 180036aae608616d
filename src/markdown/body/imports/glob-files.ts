import { statSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join, sep } from "node:path";
import { statOf } from "../../../config/fingerprint.ts";
import type { FileImport } from "../body.ts";
import type { World } from "../world.ts";
import { listIgnored } from "./git-ignored.ts";
import { importFault } from "./import-fault.ts";

const MOST_FILES = 1_000;

export interface GlobSearch {
  readonly folder: string;
  readonly pattern: string;
  readonly wanted: FileImport;
  readonly world: World;
}

/** Names of the files below the folder, sorted; neither `.git` nor what git ignores. */
export async function expandGlob(search: GlobSearch): Promise<string[]> {
  const { folder, pattern, wanted, world } = search;
  if (isGits(folder)) return [];
  const ignored = await listIgnored(folder, wanted, world);
  const isLeftOut = (name: string): boolean =>
    isGits(name) || ignored.has(name) || ignored.has(".");
  const names: string[] = [];
  for await (const name of glob(pattern, { cwd: folder, exclude: isLeftOut })) {
    world.signal.throwIfAborted();
    if (isLeftOut(name) || !isFile(join(folder, name))) continue;
    names.push(name);
    if (names.length > MOST_FILES)
      throw importFault(wanted, `matches more than ${MOST_FILES} files`, "narrow the pattern");
  }
  return names.sort();
}

const isGits = (path: string): boolean => path.split(sep).includes(".git");

const isFile = (path: string): boolean => statOf(path, statSync)?.isFile() === true;
