// Where a path in a definition may lead in the project.
import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { pathBehindLinks } from "../followed-path.ts";
import { LAYER_FOLDER } from "../paths.ts";
import type { FoundRun } from "./program-line.ts";

interface BaseRequest {
  readonly root: string;
  /** Of the definition as written, or absolute. */
  readonly cwd: string | null;
  readonly folders: readonly (string | null)[];
  /** A shell goes by where it is; an argv looks beside its file first. */
  readonly isLine: boolean;
}

/** The folders in which a relative path may be looked for, the likeliest first. */
export function basesOf({ root, cwd, folders, isLine }: BaseRequest): string[] {
  const layer = join(root, LAYER_FOLDER);
  const starts =
    cwd === null ? [root] : isLine ? [resolve(layer, cwd), root] : [root, resolve(layer, cwd)];
  const all = isLine ? [...starts, layer] : [layer, ...starts];
  const inner = folders.map((folder) => folder ?? ".");
  return [...new Set(all.flatMap((start) => inner.map((folder) => resolve(start, folder))))];
}

/** Paths from the root, each once, of what lies inside it: where a link is left by `..`, first as the system opens it. */
export const pathsFrom = (root: string, path: string, bases: readonly string[]): string[] => [
  ...new Set(
    bases.flatMap((base) => {
      const opened = isAbsolute(path) ? path : `${base}/${path}`;
      return [pathBehindLinks(opened) ?? [], resolve(base, path)]
        .flat()
        .flatMap((each) => pathInside(root, each) ?? []);
    }),
  ),
];

/** Node leaves out the ends of names. */
const ENDINGS = [
  ...["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".json", "/index.js", "/__main__.py"],
  // Ruby and Lua do so with what is loaded first.
  ...[".rb", ".lua"],
];

/** Where an executed path may lead, from the root, the likeliest first. */
export function candidatePaths(run: FoundRun, request: Omit<BaseRequest, "folders">): string[] {
  const { root } = request;
  // Beside the file that names it, else from the project's root, whatever folder it is run in.
  if (run.isFirst) return pathsFrom(root, run.path, [join(root, LAYER_FOLDER), root]);
  // What a wrapper runs is looked for where it is, not beside the file.
  const isLine = request.isLine || run.role === "program";
  const paths = pathsFrom(root, run.path, basesOf({ ...request, isLine, folders: run.folders }));
  const isWhole = run.role === "program" || extname(run.path) !== "";
  const endings = isWhole ? [""] : ENDINGS;
  return paths.flatMap((path) => endings.map((ending) => `${path}${ending}`));
}

/** A package is not the project's own text; it changes with every install. */
export const isPackagePath = (path: string): boolean => /(^|\/)node_modules\//.test(path);

const SYSTEM =
  /^\/(usr|bin|sbin|lib\w*|opt|nix|snap|System|Library|Applications|dev(?!\/(fd|stdin|shm|mqueue)))\//;

/** Below a folder that only a person with the rights to do so changes. */
export const isSystemPath = (path: string): boolean => SYSTEM.test(path);

/** The path from the root, null for what lies outside it. */
export function pathInside(root: string, path: string): string | null {
  const inside = relative(root, path);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return null;
  return inside.split(sep).join("/");
}
