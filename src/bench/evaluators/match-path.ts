import { matchesGlob } from "node:path";

/**
 * Whether a path is meant by a glob of the suite: by a folder's name all below it, and files whose names begin
 * with a dot as well, which `matchesGlob` of Node 24 hides from `*` – and an agent could hide there.
 */
export function matchesPath(path: string, glob: string): boolean {
  const pattern = showDots(glob.replace(/^\.\//, "").replace(/\/$/, ""));
  const shown = showDots(path);
  if (matchesGlob(shown, pattern)) return true;
  return !/[*?[{(]/.test(pattern) && shown.startsWith(`${pattern}/`);
}

const DOT = "\u0001";
const showDots = (text: string): string => text.replaceAll(/(?<=^|[/{,(|])\./g, DOT);
