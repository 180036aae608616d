// Where a path leads: `..` and links followed as far as the path exists.
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

export interface PathPlace {
  /** What relative paths are below. */
  readonly folder: string;
  readonly home: string;
}

/** Absolute, `~/` taken for the home folder; not looked up. */
export function absolutePath(path: string, { folder, home }: PathPlace): string {
  if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
  return isAbsolute(path) ? resolve(path) : resolve(folder, path);
}

/** The real path of the deepest folder that exists, with the rest behind it. */
export function resolvePath(path: string, place: PathPlace): string {
  return followLinks(absolutePath(path, place), 0);
}

const MOST_LINKS = 40;

function followLinks(path: string, links: number): string {
  try {
    return realpathSync.native(path);
  } catch {
    // Not there, or not to be entered: its folder may be.
    const parent = dirname(path);
    if (parent === path) return path;
    const target = links < MOST_LINKS ? readDanglingLink(path) : null;
    if (target !== null) return followLinks(resolve(parent, target), links + 1);
    return join(followLinks(parent, links), basename(path));
  }
}

/** A write through a link that leads nowhere yet makes the file it names. */
function readDanglingLink(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
