// Paths as rules match them: where a path leads, and whether a pattern means it.
import { isAbsolute, resolve } from "node:path";
import { followLinks, MAX_PATH_LENGTH, pathBehindLinks } from "../../core/project/followed-path.ts";
import { matchGlob } from "../../core/project/glob.ts";

/** The path as a pattern sees it: as written, and as it leads. */
export interface ResolvedPath {
  readonly written: string;
  readonly real: string;
  /** As the system opens it, where `..` stands behind a link and that makes it another file. */
  readonly opened?: string;
}

export function resolveBoth(path: string, context: PathContext): ResolvedPath {
  const [written, opened] = [absolutePath(path, context), openedPath(path, context)];
  const both = { written, real: followLinks(written) };
  return opened === null ? both : { ...both, opened };
}

/** All that the path may lead to. */
export const placesOfPath = ({ real, opened }: ResolvedPath): string[] =>
  opened === undefined ? [real] : [real, opened];

/** Null where it is the place that the written path leads to as well. */
export const openedPath = (path: string, context: PathContext): string | null =>
  path.includes("..") ? pathBehindLinks(startPath(path, context)) : null;

/** Whether the pattern matches the path. A relative pattern is below `place.folder`. */
export function matchPathGlob(pattern: string, path: ResolvedPath, context: PathContext): boolean {
  return patternForms(pattern, context).some((form) => matchesEither(form, path));
}

/** A test for many paths: whether one of the patterns matches a path or a folder that it is in. */
export function pathsBelow(
  patterns: readonly string[],
  context: PathContext,
): (path: ResolvedPath) => boolean {
  const forms = patterns.flatMap((pattern) => patternForms(pattern, context));
  return (path) =>
    forms.some((form) => matchesEither(form, path) || matchesEither(`${form}/**`, path));
}

const matchesEither = (pattern: string, path: ResolvedPath): boolean =>
  [path.written, ...placesOfPath(path)].some((each) => matchGlob(pattern, each, { style: "path" }));

/** The fixed part of a pattern leads through links as well, such as a linked home folder. */
function patternForms(pattern: string, context: PathContext): string[] {
  const { base, rest } = splitPattern(pattern);
  const written = absolutePath(base === "" ? "." : base, context);
  const real = resolvePath(base === "" ? "." : base, context);
  return [...new Set([written, real])].map((folder) => withTail(escapeGlob(folder), rest));
}

function withTail(folder: string, rest: string): string {
  if (rest === "") return folder;
  return folder === "/" ? `/${rest}` : `${folder}/${rest}`;
}

/** The folders before the first glob character, and what is behind them. */
export function splitPattern(pattern: string): { readonly base: string; readonly rest: string } {
  const trimmed = pattern.length > 1 ? pattern.replace(/(?<!\/)\/+$/, "") : pattern;
  const magic = trimmed.search(/[*?[{\\]/);
  if (magic === -1) return { base: trimmed, rest: "" };
  const cut = trimmed.lastIndexOf("/", magic);
  if (cut === 0) return { base: "/", rest: trimmed.slice(1) };
  return { base: trimmed.slice(0, Math.max(cut, 0)), rest: trimmed.slice(cut + 1) };
}

const escapeGlob = (text: string): string => text.replace(/[*?[{\\]/g, "\\$&");

// Where a path leads: `..` and links followed as far as the path exists.

export interface PathContext {
  /** What relative paths are below. */
  readonly folder: string;
  readonly home: string;
}

/** Absolute, `~/` taken for the home folder and `~+/` for the one it is in; not looked up. */
export const absolutePath = (given: string, context: PathContext): string =>
  resolve(shortenPath(startPath(given, context)));

/** From no folder does it take more `..` to come to the root. */
const MAX_DEPTH = 1_000;

/**
 * A path that is too long to be opened, put in order: thousands of `./` in front hide nothing. Node's `normalize` and
 * `resolve` join what they have after each `..`, and take minutes for a megabyte of `../` (24.21).
 */
export function shortenPath(path: string): string {
  if (path.length <= MAX_PATH_LENGTH) return path;
  const isFixed = path.startsWith("/");
  const mostAbove = isFixed ? 0 : MAX_DEPTH;
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === ".." && (parts.at(-1) ?? "..") !== "..") parts.pop();
    else if (part !== "" && part !== "." && (part !== ".." || parts.length < mostAbove))
      parts.push(part);
  return `${isFixed ? "/" : ""}${parts.join("/")}`;
}

/** The same with `..` left where it stands. */
export function startPath(given: string, { folder, home }: PathContext): string {
  const path = given.startsWith("/") ? leaveProcess(given, folder) : given;
  if (path === "~" || path.startsWith("~/")) return `${home}/${path.slice(1)}`;
  if (path === "~+" || path.startsWith("~+/")) return `${folder}/${path.slice(2)}`;
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

/** A process has its folder and the root under names of its own, which mean another one here: `/proc/self/cwd/x`. */
export const leaveProcess = (path: string, folder: string): string =>
  path
    .replace(/^\/dev\/fd\/\.\.(?=\/)/, "/proc/self")
    .replace(/^\/proc\/(?:self|thread-self|\$\$|\d+)\/cwd(?=\/|$)/, () => folder)
    .replace(/^\/proc\/(?:self|thread-self|\$\$|\d+)\/root(?=[/$])/, "");

/** The real path of the deepest folder that exists, with the rest behind it. */
export function resolvePath(path: string, context: PathContext): string {
  return followLinks(absolutePath(path, context));
}
