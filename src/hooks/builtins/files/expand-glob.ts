// The files that a glob in a shell line or a tool call stands for.
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { followLinks } from "../../../core/project/followed-path.ts";
import { matchGlob } from "../../../core/project/glob.ts";
import { absolutePath, type PathContext, startPath } from "../../match/paths.ts";
import { type LookLimit, TooMuchToLookAt } from "./look-limit.ts";

interface GlobFiles {
  readonly files: readonly string[];
  /** Folders from which on `**` goes down any number of levels, with the name that is looked for. */
  readonly below: readonly { readonly folder: string; readonly name: string }[];
}

interface GlobManner {
  /** A star also stands for names that begin with a dot. */
  readonly hidden: boolean;
  readonly ignoresCase: boolean;
  /** `^a*` stands for all that does not begin so, `*~a*` and `a#` for more and less of it. */
  readonly extended: boolean;
}

/** How the shell that runs the line expands globs. */
export const globManner = (line: string): GlobManner => ({
  hidden: /\b(dotglob|glob_?dots|GLOBIGNORE)\b/i.test(line),
  ignoresCase: /no_?case_?glob/i.test(line),
  extended: /extended_?glob/i.test(line),
});

/** A path has no more characters, and a pattern of one hardly. */
const MAX_PATTERN_LENGTH = 4_096;

/** A star matches no name that begins with a dot, as in every shell, unless `hidden` says so. */
export function expandGlob(
  pattern: string,
  context: PathContext,
  { limit, ...manner }: GlobManner & { readonly limit: LookLimit },
): GlobFiles {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new TooMuchToLookAt("a pattern is longer than any path");
  const segments = segmentsOf(pattern, context);
  const deep = segments.indexOf("**");
  const flat = deep === -1 ? segments : segments.slice(0, deep);
  const search = { pattern, limit, ...manner };
  // Many folders have one above them.
  const files = flat.reduce(
    (found, segment, at) => {
      const entered = found.flatMap((folder) => enter(folder, segment, search));
      // Nothing lies below a file.
      const goesOn = at + 1 < segments.length && /[*?[(]/.test(segment);
      return [...new Set(goesOn ? entered.filter((path) => !isFile(path)) : entered)];
    },
    ["/"],
  );
  if (deep === -1) return { files, below: [] };
  const name = segments.at(-1) ?? "";
  return {
    files: [],
    below: files.map((folder) => ({ folder, name: name === "**" ? "*" : name })),
  };
}

// `link*/../x` lies beside what each of the links leads to, so `..` stays where it stands behind a pattern.
function segmentsOf(pattern: string, context: PathContext): string[] {
  const magic = pattern.search(/[*?[(]/);
  if (magic === -1 || !pattern.includes("/..", magic))
    return absolutePath(pattern, context).split("/").slice(1);
  return startPath(pattern, context)
    .split("/")
    .filter((part) => part !== "" && part !== ".");
}

interface GlobSearch extends GlobManner {
  readonly pattern: string;
  readonly limit: LookLimit;
}

function enter(folder: string, given: string, search: GlobSearch): string[] {
  const { pattern, limit, hidden, ignoresCase, extended } = search;
  if (given === "..") return [dirname(followLinks(folder))];
  if (!/[*?[(]/.test(given)) return [join(folder, given)];
  const asCased = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  const segment = asCased(given);
  const names = namesInFolder(folder);
  limit.take(names.length + 1, `\`${pattern}\``);
  const start = /^[^*?[(\\]*/.exec(segment)?.[0] ?? "";
  // An extended glob such as `@(a|b)` or `!(x)` may be any name; so may what `[[:alpha:]]` stands for, behind its beginning.
  const isExtended = segment.includes("(") || (extended && /[\^~#]/.test(segment));
  const isOpen = isExtended || /\[[:.=]/.test(segment);
  return names
    .filter((name) => isExtended || asCased(name).startsWith(start))
    .filter((name) => hidden || isExtended || !name.startsWith(".") || /^[.[\\]/.test(segment))
    .filter((name) => isOpen || matchGlob(segment, asCased(name), { style: "text" }))
    .map((name) => join(folder, name));
}

const isFile = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

export function namesInFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No folder, or one that the line cannot read either.
    return [];
  }
}
