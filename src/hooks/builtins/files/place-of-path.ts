// Where a path of a line begins, and what it is with the values put in that are known before it runs.
import type { FileEffect } from "../../../core/shell/effects/file-effect.ts";
import { absolutePath, leaveProcess, type PathContext } from "../../match/paths.ts";

/** Null where the folder is unknown and the path begins there. */
export function placeOf(
  { word }: FileEffect,
  folder: string | null,
  context: PathContext,
): PathContext | null {
  if (folder !== null) return { ...context, folder: absolutePath(folder, context) };
  return /^(\/|~(\/|$)|\$\{?HOME\b)/.test(word.text) ? context : null;
}

/** The path with the two variables put in whose values are known here; null where more is open. */
export function readHome(
  { word: { text, kind } }: Pick<FileEffect, "word">,
  { folder, home }: PathContext,
): string | null {
  // `~-` is the folder before this one, `~name` somebody else's home.
  if (/^~[-a-z_]/.test(text)) return null;
  const fromProcess = leaveProcess(text, folder);
  if (kind !== "open") return fromProcess;
  const path = fromProcess
    .replaceAll(/\$(?:HOME\b|\{HOME\})/g, () => home)
    .replaceAll(/\$(?:PWD\b|\{PWD\})/g, () => folder);
  // `ln -s "$x" d` writes `d/…`, of which no part is open that stands in the word.
  return /[$`{}<>*?]/.test(path) ? null : path;
}
