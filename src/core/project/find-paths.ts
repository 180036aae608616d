// The files that a glob means, by the dialect of glob.ts.
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { listReadableEntries, statOf } from "./files.ts";
import { expandBraces, isGlob, matchGlob } from "./glob.ts";

interface PathSearch {
  readonly folder: string;
  /** Below the folder, unless it begins with `/`; then absolute paths are found. */
  readonly pattern: string;
  /** Paths below the folder that are neither found nor looked into. */
  readonly isLeftOut?: (path: string) => boolean;
}

/**
 * The paths below a folder that a pattern means, each once, in no order. As in a shell, a name that begins with a
 * dot is found only by a part of the pattern that begins with one; `**` follows no links.
 */
export function* findGlobPaths({
  folder,
  pattern,
  isLeftOut = () => false,
}: PathSearch): Generator<string> {
  const found = new Set<string>();
  for (const plain of expandBraces(pattern))
    for (const path of walk(
      { folder, isLeftOut },
      pattern.startsWith("/") ? "/" : "",
      plain.split("/"),
    ))
      if (!found.has(path)) {
        found.add(path);
        yield path;
      }
}

function* walk(
  search: Required<Omit<PathSearch, "pattern">>,
  at: string,
  [part, ...rest]: readonly string[],
): Generator<string> {
  if (part === undefined) {
    if (at !== "" && statOf(resolve(search.folder, at), statSync) !== null) yield at;
    return;
  }
  if (part === "" || !isGlob(part)) {
    const path = join(at, unescapeGlob(part));
    if (!search.isLeftOut(path)) yield* walk(search, path, rest);
    return;
  }
  if (part === "**") yield* walk(search, at, rest.length === 0 ? ["*"] : rest);
  for (const entry of listReadableEntries(resolve(search.folder, at))) {
    const path = join(at, entry.name);
    if ((entry.name.startsWith(".") && !part.startsWith(".")) || search.isLeftOut(path)) continue;
    if (part !== "**") {
      if (matchGlob(part, entry.name, { style: "path" })) yield* walk(search, path, rest);
    } else if (entry.isDirectory()) yield* walk(search, path, [part, ...rest]);
  }
}

const unescapeGlob = (text: string): string => text.replaceAll(/\\(.)/gs, "$1");
