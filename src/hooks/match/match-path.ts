import { matchGlob } from "./glob.ts";
import { absolutePath, type PathPlace, resolvePath } from "./resolve-path.ts";

/** The path as a pattern sees it: as written, and as it leads. */
export interface ResolvedPath {
  readonly written: string;
  readonly real: string;
}

export const resolveBoth = (path: string, place: PathPlace): ResolvedPath => ({
  written: absolutePath(path, place),
  real: resolvePath(path, place),
});

/** Whether the pattern matches the path. A relative pattern is below `place.folder`. */
export function matchPathGlob(pattern: string, path: ResolvedPath, place: PathPlace): boolean {
  return patternForms(pattern, place).some((form) => matchesEither(form, path));
}

/** The same, or the pattern matches a folder the path is in. */
export function matchPathBelow(pattern: string, path: ResolvedPath, place: PathPlace): boolean {
  return patternForms(pattern, place).some(
    (form) => matchesEither(form, path) || matchesEither(`${form}/**`, path),
  );
}

const matchesEither = (pattern: string, { real, written }: ResolvedPath): boolean =>
  matchGlob(pattern, real, { style: "path" }) || matchGlob(pattern, written, { style: "path" });

/** The fixed part of a pattern leads through links as well, such as a linked home folder. */
function patternForms(pattern: string, place: PathPlace): string[] {
  const { base, rest } = splitPattern(pattern);
  const written = absolutePath(base === "" ? "." : base, place);
  const real = resolvePath(base === "" ? "." : base, place);
  return [...new Set([written, real])].map((folder) => withTail(escapeGlob(folder), rest));
}

function withTail(folder: string, rest: string): string {
  if (rest === "") return folder;
  return folder === "/" ? `/${rest}` : `${folder}/${rest}`;
}

/** The folders before the first glob character, and what is behind them. */
export function splitPattern(pattern: string): { readonly base: string; readonly rest: string } {
  const trimmed = pattern.length > 1 ? pattern.replace(/\/+$/, "") : pattern;
  const magic = trimmed.search(/[*?[\\]/);
  if (magic === -1) return { base: trimmed, rest: "" };
  const cut = trimmed.lastIndexOf("/", magic);
  if (cut === 0) return { base: "/", rest: trimmed.slice(1) };
  return { base: trimmed.slice(0, Math.max(cut, 0)), rest: trimmed.slice(cut + 1) };
}

const escapeGlob = (text: string): string => text.replace(/[*?[\\]/g, "\\$&");
