// How Node finds and reads the modules of users' command files. The rules hold for the whole thread,
// in the folders they were told of and nowhere else.
import {
  type LoadHookSync,
  type ResolveFnOutput,
  type ResolveHookSync,
  registerHooks,
} from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fault } from "../command/fault.ts";
import { type LayerSource, showFile } from "./layer-source.ts";

interface Cover {
  readonly source: LayerSource;
  readonly prefix: string;
  readonly boundary: string | null;
}

const covers = new Map<string, Cover>();
let library: string | null = null;

/** From now on modules below this folder are read by our rules. */
export function coverFolder(source: LayerSource, libraryUrl: string): void {
  if (library === null) registerHooks({ resolve, load });
  library = libraryUrl;
  covers.set(source.folder, {
    source,
    prefix: folderUrl(source.folder),
    boundary: source.boundary === null ? null : folderUrl(source.boundary),
  });
}

const folderUrl = (folder: string): string => `${pathToFileURL(folder).href}/`;

function findCover(url: string): Cover | null {
  for (const cover of covers.values()) if (url.startsWith(cover.prefix)) return cover;
  return null;
}

const resolve: ResolveHookSync = (specifier, context, next) => {
  if (specifier === "adjutant" && library !== null) return { url: library, shortCircuit: true };
  const parent = context.parentURL;
  const cover = parent === undefined ? null : findCover(parent);
  if (parent === undefined || cover === null) return next(specifier, context);
  const find = (): ResolveFnOutput => next(specifier, context);
  const found = cover.boundary === null ? find() : findInside(cover, { specifier, parent, find });
  return { ...found, url: passOnGeneration(found.url, parent, cover) };
};

interface Import {
  readonly specifier: string;
  readonly parent: string;
  readonly find: () => ResolveFnOutput;
}

/** What a project's module imports was approved with it, or it is not imported. */
function findInside(cover: Cover, { specifier, parent, find }: Import): ResolveFnOutput {
  const outside = (cause?: unknown) =>
    fault(
      "ImportOutside",
      { file: showFile(cover.source, fileURLToPath(parent)), specifier },
      { hint: "move it into `.adjutant/`, then `adj trust`", cause },
    );
  try {
    const found = find();
    if (isInside(cover, found.url)) return found;
  } catch (error) {
    // A file of the layer that is missing is the author's mistake, and Node says it well.
    const isOwn = isPath(specifier) && new URL(specifier, parent).href.startsWith(cover.prefix);
    throw isOwn ? error : outside(error);
  }
  throw outside();
}

const isInside = ({ boundary }: Cover, url: string): boolean =>
  !url.startsWith("file:") || (boundary !== null && url.startsWith(boundary));

const isPath = (specifier: string): boolean => /^(?:\.{0,2}\/|file:)/.test(specifier);

/** A reload makes every module anew, not only the command's own file; `?v=` of the parent says which one it is. */
function passOnGeneration(url: string, parent: string, cover: Cover): string {
  const generation = /[?&]v=(\d+)/.exec(parent)?.[1] ?? "0";
  const isOwn = url.startsWith(cover.prefix) && !isInPackage(url, cover);
  return isOwn && generation !== "0"
    ? `${url}${url.includes("?") ? "&" : "?"}v=${generation}`
    : url;
}

const isInPackage = (url: string, { prefix }: Cover): boolean =>
  url.slice(prefix.length - 1).includes("/node_modules/");

// Without these formats a user's file obeys whatever package.json lies above it.
const FORMATS = new Map([
  [".ts", "module-typescript"],
  [".js", "module"],
]);

const load: LoadHookSync = (url, context, next) => {
  const cover = findCover(url);
  // A plugin is a package of its own and says itself what its files are.
  if (cover === null || cover.source.layer === "plugin" || isInPackage(url, cover))
    return next(url, context);
  const format = FORMATS.get(/\.\w+(?=\?|$)/.exec(url)?.[0] ?? "");
  return next(url, format === undefined ? context : { ...context, format });
};
