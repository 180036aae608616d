// A script with all that it imports, and the folder around it where it looks for files there.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileErrorCode, statOf } from "../files.ts";
import { LAYER_FOLDER } from "../paths.ts";
import { isPackagePath, pathInside } from "./candidate-paths.ts";
import type { UncoveredRun } from "./command-reading.ts";
import { readScript } from "./script-text.ts";

/** What a reading of the tree does with what is found. */
export interface PinReader {
  readonly root: string;
  /** Takes a file into the tree, be it there or not; its text, null where there is none. */
  pin(path: string): string | null;
  /** Takes a file into the tree that runs as it is; false where there is none. */
  watch(path: string): boolean;
}

export interface ScriptPins {
  /** It and what it imports. */
  readonly files: readonly string[];
  /** It cannot do its work from the copy. */
  readonly isInPlace: boolean;
  readonly uncovered: readonly UncoveredRun[];
}

const MAX_IMPORTS = 500;

/** Takes what a script imports into the tree, and the folder around it where it looks for files there. */
export function pinScript(entry: string, pinning: PinReader, by: string | null): ScriptPins {
  const files = new Set([entry]);
  const uncovered: UncoveredRun[] = [];
  let isInPlace = false;
  for (const path of files) {
    const text = pinning.pin(path);
    if (text === null) continue;
    const script = readScript(path, text, path === entry ? by : null);
    uncovered.push(...script.uncovered);
    for (const paths of script.imports) {
      const found = paths.find((one) => isOwnFile(one, pinning));
      if (found !== undefined && files.size < MAX_IMPORTS) files.add(found);
      // A package says by itself which of its files it loads.
      if (found?.endsWith("/package.json")) keepFiles(dirname(found), pinning.pin, pinning.root);
    }
    const packages = script.packages.filter((name) => hasPackage(pinning.root, path, name));
    for (const name of packages)
      uncovered.push({
        what: `the package \`${name}\`, which \`${path}\` imports`,
        isOfProject: true,
        files: [],
      });
    const isAlone = !script.looksBeside || keepFolder(path, script.looksAbove, pinning);
    if (!isAlone)
      uncovered.push({
        what: `what \`${path}\` finds around itself`,
        isOfProject: true,
        files: [],
      });
    isInPlace ||= packages.length > 0 || !isAlone;
  }
  return { files: [...files], isInPlace, uncovered };
}

function isOwnFile(path: string, { root, pin }: PinReader): boolean {
  if (pathInside(root, join(root, path)) === null || isPackagePath(path)) return false;
  return statOf(join(root, path), statSync)?.isFile() === true && pin(path) !== null;
}

/** `#name` is a name that package.json gives to a file. */
function hasPackage(root: string, path: string, specifier: string): boolean {
  if (specifier.startsWith("#")) return true;
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "";
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(root, folder, "node_modules", name))) return true;
    if (folder === "." || folder === "/") return false;
  }
}

const MAX_FOLDER_FILES = 100;
const LEFT_OUT = new Set(["node_modules", ".git", "__pycache__", ".venv", "target", "dist"]);

/** Whether all that lies around a script is in the copy; the layer itself always is. */
function keepFolder(path: string, looksAbove: boolean, pinning: PinReader): boolean {
  if (path.startsWith(`${LAYER_FOLDER}/`)) return true;
  const folder = dirname(path);
  if (folder === "." || looksAbove) return false;
  return keepFiles(folder, pinning.pin, pinning.root);
}

/** Whether all files of a folder, from the root, could be taken. */
export function keepFiles(folder: string, take: (path: string) => unknown, root: string): boolean {
  const files = listFiles(join(root, folder), MAX_FOLDER_FILES);
  for (const file of files ?? []) take(`${folder}/${file}`);
  return files !== null;
}

/** Null where there are more than that, or where something cannot be listed. */
function listFiles(folder: string, limit: number): string[] | null {
  const found: string[] = [];
  const pending = [""];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    try {
      for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
        if (LEFT_OUT.has(entry.name)) continue;
        if (entry.isDirectory()) pending.push(join(at, entry.name));
        else if (entry.isFile()) found.push(join(at, entry.name));
        if (found.length + pending.length > limit) return null;
      }
    } catch (error) {
      if (fileErrorCode(error) === null) throw error;
      return null;
    }
  }
  return found;
}
