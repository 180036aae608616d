// Commands whose files are modules: how one is imported, by which rules, and where its output goes.
import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync, realpathSync, statSync } from "node:fs";
import {
  type LoadHookSync,
  type ResolveFnOutput,
  type ResolveHookSync,
  registerHooks,
  stripTypeScriptTypes,
} from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Command, CommandSummary } from "../command/definition.ts";
import { fault } from "../command/fault.ts";
import { readPins } from "../project/trust/store.ts";
import type { DefinitionFile } from "./command-file.ts";
import { type LayerSource, showFile } from "./layer-source.ts";
import { commandWith } from "./summary.ts";

/** A command whose file is a module. */
export async function loadModule(
  file: DefinitionFile,
  known: CommandSummary | null,
): Promise<Command> {
  const exported = await importDefault(file);
  const shown = showFile(file.source, file.path);
  if (known === null) {
    const { checkDefinition } = await import("./definition-check.ts");
    return checkDefinition(exported, { name: file.name, file: shown });
  }
  if (!isRunnable(exported))
    throw fault(
      "FileInvalid",
      { problem: "it exports something else than when it was indexed" },
      { where: { file: shown }, hint: "a command's definition must not depend on the moment" },
    );
  return commandWith(exported, known);
}

const isRunnable = (value: unknown): value is Parameters<typeof commandWith>[0] =>
  typeof value === "object" && value !== null && "run" in value && typeof value.run === "function";

// Imports one command file: TypeScript by Node's type stripping, or JavaScript.

/** What the file exports by default. */
async function importDefault(file: DefinitionFile): Promise<unknown> {
  const exported: unknown = await withStdoutAsStderr(() => import(moduleAddress(file)));
  if (typeof exported === "object" && exported !== null && "default" in exported)
    return exported.default;
  throw fault(
    "FileInvalid",
    { problem: "it exports nothing by default" },
    {
      where: { file: showFile(file.source, file.path) },
      hint: "write `export default defineCommand({ … })`",
    },
  );
}

function moduleAddress({ source, path, generation, libraryUrl }: DefinitionFile): string {
  applyImportRules(source, libraryUrl);
  // Node goes by the real path: a file linked from elsewhere is covered where it really lies.
  const real = realpathSync.native(path);
  if (dirname(real) !== dirname(path) && !real.startsWith(join(source.folder, "/")))
    applyImportRules({ ...source, folder: dirname(real), shown: dirname(real) }, libraryUrl);
  return `${pathToFileURL(path).href}?v=${generation}.${statSync(path).mtimeMs}`;
}

// A module that prints while it is loaded must not write into what the program prints: that may be
// JSON, or a protocol. Other work goes on meanwhile, so only what comes from the import is turned.

const loading = new AsyncLocalStorage<true>();
let isRedirected = false;

/** What `act` writes to stdout while it runs goes to stderr. */
function withStdoutAsStderr<Result>(act: () => Promise<Result>): Promise<Result> {
  if (!isRedirected) redirectStdout();
  return loading.run(true, act);
}

function redirectStdout(): void {
  isRedirected = true;
  const { stdout, stderr } = process;
  // Taken before: where one object is printed as JSON, stdout is stderr already.
  const { write: writeError } = stderr;
  stdout.write = new Proxy(stdout.write, {
    apply: (write, self, words) =>
      loading.getStore() === true
        ? Reflect.apply(writeError, stderr, words)
        : Reflect.apply(write, self, words),
  });
}

// How Node finds and reads the modules of users' command files. The rules hold for the whole thread,
// in the folders they were told of and nowhere else.

interface CoveredFolder {
  readonly source: LayerSource;
  readonly prefix: string;
  readonly boundary: string | null;
}

const coveredFolders = new Map<string, CoveredFolder>();
let libraryAddress: string | null = null;

/** From now on modules below this folder are read by our rules. */
function applyImportRules(source: LayerSource, libraryUrl: string): void {
  if (libraryAddress === null) registerHooks({ resolve: resolveModule, load: loadModuleSource });
  libraryAddress = libraryUrl;
  coveredFolders.set(source.folder, {
    source,
    prefix: folderUrl(source.folder),
    boundary: source.boundary === null ? null : folderUrl(source.boundary),
  });
}

const folderUrl = (folder: string): string => `${pathToFileURL(folder).href}/`;

function findCoveredFolder(url: string): CoveredFolder | null {
  for (const cover of coveredFolders.values()) if (url.startsWith(cover.prefix)) return cover;
  return null;
}

const resolveModule: ResolveHookSync = (specifier, context, next) => {
  if (specifier === "adjutant" && libraryAddress !== null)
    return { url: libraryAddress, shortCircuit: true };
  const parent = context.parentURL;
  const cover = parent === undefined ? null : findCoveredFolder(parent);
  if (parent === undefined || cover === null) return next(specifier, context);
  const find = (from: string): ResolveFnOutput => next(specifier, { ...context, parentURL: from });
  const found =
    cover.boundary === null ? find(parent) : findInside(cover, { specifier, parent, find });
  return { ...found, url: passOnGeneration(found.url, parent, cover) };
};

interface ImportRequest {
  readonly specifier: string;
  readonly parent: string;
  readonly find: (from: string) => ResolveFnOutput;
}

/** What a project's module imports was approved with it, or is a package that was listed then; or it is not imported. */
function findInside(cover: CoveredFolder, request: ImportRequest): ResolveFnOutput {
  const { specifier, parent, find } = request;
  const outside = (cause?: unknown) =>
    fault(
      "ImportOutside",
      { file: showFile(cover.source, fileURLToPath(parent)), specifier },
      { hint: hintFor(specifier), cause },
    );
  try {
    const found = find(parent);
    if (isInside(cover, found.url)) return found;
  } catch (error) {
    // A file of the layer that is missing is the author's mistake, and Node says it well.
    const isOwn = isPath(specifier) && new URL(specifier, parent).href.startsWith(cover.prefix);
    if (isOwn) throw error;
    const ofPackage = findListedPackage(cover, request);
    if (ofPackage === null) throw outside(error);
    return ofPackage;
  }
  const ofPackage = findListedPackage(cover, request);
  if (ofPackage === null) throw outside();
  return ofPackage;
}

const hintFor = (specifier: string): string =>
  isPath(specifier)
    ? "move it into `.adjutant/`, then `adj trust`"
    : "a package of the project may be imported once `adj trust` has listed it";

/**
 * A package of the project, found from where the person wrote the module. Trust does not cover it, so it must have been
 * listed as such when the project was approved.
 */
function findListedPackage(
  { source, boundary }: CoveredFolder,
  { specifier, parent, find }: ImportRequest,
): ResolveFnOutput | null {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "";
  if (boundary === null || isPath(specifier)) return null;
  if (readPins(fileURLToPath(boundary))?.packages?.includes(name) !== true) return null;
  const found = find(pathToFileURL(showFile(source, fileURLToPath(parent))).href);
  const root = folderUrl(realpathSync.native(dirname(source.shown)));
  return found.url.startsWith(root) ? found : null;
}

const isInside = ({ boundary }: CoveredFolder, url: string): boolean =>
  !url.startsWith("file:") || (boundary !== null && url.startsWith(boundary));

const isPath = (specifier: string): boolean => /^(?:\.{0,2}\/|file:)/.test(specifier);

/**
 * A reload makes every module anew, not only the command's own file; `?v=` of the parent says which one it is, and on a stack
 * that the line is a person's.
 */
function passOnGeneration(url: string, parent: string, cover: CoveredFolder): string {
  const generation = /[?&]v=(\d+)/.exec(parent)?.[1];
  const isOwn = url.startsWith(cover.prefix) && !isInPackage(url, cover);
  return isOwn && generation !== undefined
    ? `${url}${url.includes("?") ? "&" : "?"}v=${generation}`
    : url;
}

const isInPackage = (url: string, { prefix }: CoveredFolder): boolean =>
  url.slice(prefix.length - 1).includes("/node_modules/");

// Without these formats a user's file obeys whatever package.json lies above it.
const FORMATS = new Map([
  [".ts", "module-typescript"],
  [".js", "module"],
]);

const loadModuleSource: LoadHookSync = (url, context, next) => {
  const cover = findCoveredFolder(url);
  if (cover === null || isInPackage(url, cover)) return next(url, context);
  const extension = /\.\w+(?=\?|$)/.exec(url)?.[0] ?? "";
  if (cover.source.layer === "plugin") {
    // Node strips no types below `node_modules`, where plugins lie.
    if (extension === ".ts")
      return { format: "module", source: stripTypes(url), shortCircuit: true };
    // A plugin is a package of its own and says itself what its other files are.
    return next(url, context);
  }
  const format = FORMATS.get(extension);
  return next(url, format === undefined ? context : { ...context, format });
};

/** Nothing moves by it: lines and columns are those of the file. */
function stripTypes(url: string): string {
  const text = readFileSync(fileURLToPath(url), "utf8");
  const { emitWarning } = process;
  // Node calls the function experimental on stderr, though it does the same by itself elsewhere without a word (24.21).
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
