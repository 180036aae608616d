// Files that are searched for secrets.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { TooMuchToLookAt } from "../files/look-limit.ts";

/** What stands behind is not looked at. */
const FILE_BYTES = 4_194_304;

/** Null for what is gone again, a link or a pipe: git records where a link leads, and nobody edits a pipe. */
export function readSearchedFile(path: string): string | null {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return null;
    const block = Buffer.alloc(Math.min(stat.size, FILE_BYTES));
    return block.subarray(0, readSync(file, block)).toString("utf8");
  } finally {
    closeSync(file);
  }
}

const MAX_FILES = 5_000;
const MAX_BYTES = 67_108_864;

/** The first of the files that holds a secret, null where none does. */
export function findFileWith(
  paths: readonly string[],
  isMeant: (text: string) => boolean,
): string | null {
  let bytes = 0;
  if (paths.length > MAX_FILES)
    throw new TooMuchToLookAt(`${paths.length} files are too many to be searched`);
  for (const path of paths) {
    const text = readSearchedFile(path) ?? "";
    bytes += text.length;
    if (isMeant(text)) return path;
    if (bytes > MAX_BYTES) throw new TooMuchToLookAt("the files are too large to be searched");
  }
  return null;
}
