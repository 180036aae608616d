// Finds what lies in `.adjutant`. Nothing there is trusted yet: nothing is opened or followed, and
// the walk ends however large the tree is.
import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { statOf } from "./fingerprint.ts";
import { pathInside } from "./named-programs.ts";
import { LAYER_FOLDER } from "./project-root.ts";
import { LARGEST_FILE, TOO_LARGE } from "./regular-file.ts";
import { refuseTrust, withRefusal } from "./trust-refusal.ts";

interface At {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly stat: Stats;
}
export type Found =
  | (At & { readonly kind: "folder" })
  | (At & { readonly kind: "file" })
  | (At & { readonly kind: "link"; readonly target: string });

const MOST_FILES = 20_000;
const MOST_BYTES = 100 * 1024 * 1024;
const MOST_DEPTH = 64;

/** Throws `TrustRefused` at the first thing that cannot be trusted. */
export function* walkLayer(root: string): Generator<Found> {
  const pending = [LAYER_FOLDER];
  let entries = 0;
  let bytes = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const found = identify(root, path);
    yield found;
    if (found.kind === "folder") for (const inner of listFolder(root, path)) pending.push(inner);
    entries += 1;
    bytes += found.kind === "file" ? found.stat.size : 0;
    if (entries + pending.length > MOST_FILES)
      throw refuseTrust(root, LAYER_FOLDER, `holds more than ${MOST_FILES} files`);
    if (bytes > MOST_BYTES)
      throw refuseTrust(root, LAYER_FOLDER, `holds more than ${MOST_BYTES / 1024 / 1024} MB`);
  }
}

function listFolder(root: string, folder: string): string[] {
  if (folder.split("/").length > MOST_DEPTH)
    throw refuseTrust(root, folder, `lies more than ${MOST_DEPTH} folders deep`);
  const names = withRefusal(root, folder, () => readdirSync(join(root, folder)));
  return names.map((name) => `${folder}/${name}`);
}

function identify(root: string, path: string): Found {
  const stat = statOf(join(root, path), lstatSync);
  if (stat === null) throw refuseTrust(root, path, "cannot be looked at");
  if (stat.isDirectory()) return { kind: "folder", path, stat };
  if (path === LAYER_FOLDER) throw refuseTrust(root, path, "is not a folder");
  if (stat.isSymbolicLink()) return { kind: "link", path, stat, target: checkLink(root, path) };
  if (!stat.isFile()) throw refuseTrust(root, path, `is ${nameKind(stat)}, not a file`);
  if (stat.size > LARGEST_FILE) throw refuseTrust(root, path, `cannot be read: ${TOO_LARGE}`);
  return { kind: "file", path, stat };
}

const nameKind = (stat: Stats): string => {
  if (stat.isFIFO()) return "a FIFO";
  return stat.isSocket() ? "a socket" : "a device";
};

/** A link is copied as it is, so it must lead to something that is copied too. */
function checkLink(root: string, path: string): string {
  const layer = join(root, LAYER_FOLDER);
  const link = join(root, path);
  const target = withRefusal(root, path, () => readlinkSync(link));
  const isInside =
    !isAbsolute(target) && pathInside(layer, resolve(dirname(link), target)) !== null;
  // Links on the way may lead elsewhere than the text of the path says.
  if (!isInside || !leadsInside(root, path, layer))
    throw refuseTrust(root, path, `is a link to \`${target}\`, outside \`${LAYER_FOLDER}\``);
  return target;
}

/**
 * Whether what a path really leads to lies in this folder. Only the system's own `realpath` knows:
 * Node's takes `link/..` in a link's text for nothing (24.21, a link through a link got out).
 */
export function leadsInside(root: string, path: string, folder: string): boolean {
  return withRefusal(root, path, () => {
    return pathInside(realpathSync.native(folder), realpathSync.native(join(root, path))) !== null;
  });
}
