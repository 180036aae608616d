// Where a path leads: links are followed as far as the path exists, and before a `..` that stands behind one.
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const MAX_LINKS = 40;
/** The system takes no longer path, so nothing behind it can be there. */
export const MAX_PATH_LENGTH = 4_096;

/** The real path of the deepest folder that exists, with the rest behind it. */
export const followLinks = (path: string): string => follow(path, 0);

function follow(path: string, links: number): string {
  const isLong = path.length > MAX_PATH_LENGTH;
  let known = isLong ? path.slice(0, path.lastIndexOf("/", MAX_PATH_LENGTH) || 1) : path;
  for (;;) {
    const rest = path.slice(known.length);
    try {
      return join(realpathSync.native(known), rest);
    } catch {
      // Not there, or not to be entered: its folder may be.
      const parent = dirname(known);
      if (parent === known) return path;
      const target = links < MAX_LINKS ? readDanglingLink(known) : null;
      if (target !== null) return follow(join(resolve(parent, target), rest), links + 1);
      known = parent;
    }
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

const LEAVES_FOLDER = /[^/.][^/]*\/(?:\.?\/)*\.\.(?:\/|$)/;

/**
 * Of an absolute path, not put in order: `link/../x` lies beside what the link leads to, and not beside the link. Null
 * where that is the same.
 */
export function pathBehindLinks(path: string): string | null {
  if (path.length > 2 * MAX_PATH_LENGTH || !LEAVES_FOLDER.test(path)) return null;
  const real = new Map<string, string>();
  const enter = (folder: string): string => {
    const known = real.get(folder) ?? followLinks(folder);
    real.set(folder, known);
    return known;
  };
  let place = "/";
  for (const part of path.split("/"))
    if (part === "..") place = dirname(enter(place));
    else if (part !== "" && part !== ".") place = join(place, part);
  const opened = enter(place);
  return opened === followLinks(resolve(path)) ? null : opened;
}
