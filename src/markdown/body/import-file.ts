// Imports by path: one file, a part of it, or all that a pattern matches.
import { realpathSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fault } from "../../core/command/fault.ts";
import {
  describeFileError,
  isFile,
  isFolder,
  readRegularFile,
  statOf,
} from "../../core/project/files.ts";
import { findGlobPaths } from "../../core/project/find-paths.ts";
import { type FileImport, importFault } from "./body.ts";
import type { BodyContext, ImportedFile } from "./context.ts";
import { unescapePath } from "./directives.ts";
import { listIgnored } from "./git.ts";
import { decodeText, wrapInTag } from "./inserted-text.ts";
import { pickPart } from "./pick-part.ts";

/** What takes the place of an import, and where it came from. */
export interface Inserted {
  readonly text: string;
  readonly files: readonly ImportedFile[];
}

export async function importFiles(wanted: FileImport, context: BodyContext): Promise<Inserted> {
  const found = await findFiles(wanted, context);
  const texts: string[] = [];
  const files: ImportedFile[] = [];
  for (const file of found) {
    context.signal.throwIfAborted();
    const bytes = readBytes(file, wanted);
    texts.push(await insertFile(file, bytes, wanted));
    const { written, where } = wanted;
    files.push({ written, source: file.path, bytes: bytes.length, where });
  }
  return { text: texts.join("\n"), files };
}

function readBytes(file: FoundFile, wanted: FileImport): Uint8Array {
  try {
    return readRegularFile(file.path);
  } catch (error) {
    const subject = wanted.isGlob ? `matches \`${file.shown}\`, which ` : "";
    throw importFault(
      wanted,
      `${subject}cannot be read: ${describeFileError(error)}`,
      "import another file",
    );
  }
}

async function insertFile(file: FoundFile, bytes: Uint8Array, wanted: FileImport): Promise<string> {
  const text = decodeText(bytes);
  if (text === null) {
    const subject = wanted.isGlob ? `matches \`${file.shown}\`, which` : "";
    throw importFault(wanted, `${subject} is not text in UTF-8`.trim(), "import text files only");
  }
  const kind = extname(file.path).toLowerCase();
  const part = await pickPart({ text, kind, part: wanted.part, wanted });
  return wrapInTag({
    tag: "file",
    attributes: { path: file.shown, ...part.attributes },
    text: part.text,
  });
}

interface FoundFile {
  /** What the reader of the prompt is told. */
  readonly shown: string;
  /** Links in it are resolved. */
  readonly path: string;
}

/** From an import as written to the files it means, links resolved and permission asked. */
async function findFiles(wanted: FileImport, context: BodyContext): Promise<FoundFile[]> {
  const literal = locateFile(unescapePath(wanted.path), context);
  // `app/[id]/page.tsx` is a pattern by its looks and a file by its name.
  if (wanted.isGlob && statOf(literal, statSync) === null) return findMatches(wanted, context);
  const path = await resolveLinks(literal, wanted);
  if (path === ownPath(context))
    throw importFault(wanted, "is the file itself: a circle of one", "import another file");
  await askPermission(path, wanted, context);
  if (isFolder(path))
    throw importFault(wanted, "is a folder", `import its files with \`${wanted.written}/*\``);
  return [{ shown: nameForAgent(unescapePath(wanted.path), context), path }];
}

/** The path by which the agent finds the file itself; one that leads there from anywhere stays as it is. */
function nameForAgent(written: string, { folder, agentFolder }: BodyContext): string {
  if (isAbsolute(written) || written.startsWith("~/")) return written;
  const way = relative(agentFolder, resolve(folder, written));
  return way.startsWith("../") ? way : `./${way}`;
}

const ownPath = ({ file }: BodyContext): string =>
  statOf(file, statSync) === null ? file : realpathSync.native(file);

async function findMatches(wanted: FileImport, context: BodyContext): Promise<FoundFile[]> {
  const own = ownPath(context);
  const { base, pattern } = splitPattern(wanted.path);
  const folder = locateFile(unescapePath(base), context);
  const names = await expandGlob({ folder, pattern, wanted, context });
  const found: FoundFile[] = [];
  for (const name of names) {
    const path = await resolveLinks(join(folder, name), wanted);
    if (path === own) continue;
    await askPermission(path, wanted, context);
    found.push({ shown: nameForAgent(`${unescapePath(base)}${name}`, context), path });
  }
  if (found.length === 0)
    throw importFault(
      wanted,
      "matches no file",
      "mend the pattern; what `.gitignore` names is left out",
    );
  return found;
}

/** The folders before the first that has a wildcard are where the search begins. */
function splitPattern(path: string): { base: string; pattern: string } {
  const wild = path.search(/[*?[{]/);
  const slash = path.lastIndexOf("/", wild);
  return { base: path.slice(0, slash + 1), pattern: path.slice(slash + 1) };
}

async function resolveLinks(path: string, wanted: FileImport): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const hint = `paths are relative to \`${dirname(wanted.where.file)}\`; for text that is no import write \`\\@\``;
    throw importFault(wanted, `cannot be read: ${describeFileError(error)}`, hint);
  }
}

async function askPermission(
  path: string,
  wanted: FileImport,
  context: BodyContext,
): Promise<void> {
  if (context.ownFolders.some((folder) => isInside(path, folder))) return;
  const { written, where } = wanted;
  if (await context.importPermission({ path, written, where })) return;
  throw fault(
    "ImportRefused",
    { written, problem: `\`${path}\` lies outside the project` },
    { where, hint: "move the file into the project, or allow imports from outside" },
  );
}

function isInside(path: string, folder: string): boolean {
  const real = statOf(folder, statSync) === null ? folder : realpathSync.native(folder);
  const way = relative(real, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

const MAX_FILES = 1_000;

interface GlobSearch {
  readonly folder: string;
  readonly pattern: string;
  readonly wanted: FileImport;
  readonly context: BodyContext;
}

/** Names of the files below the folder, sorted; neither `.git` nor what git ignores. */
async function expandGlob(search: GlobSearch): Promise<string[]> {
  const { folder, pattern, wanted, context } = search;
  if (isGits(folder)) return [];
  const ignored = await listIgnored(folder, wanted, context);
  const isLeftOut = (name: string): boolean =>
    isGits(name) || ignored.has(name) || ignored.has(".");
  const names: string[] = [];
  for (const name of findGlobPaths({ folder, pattern, isLeftOut })) {
    context.signal.throwIfAborted();
    if (!isFile(join(folder, name))) continue;
    names.push(name);
    if (names.length > MAX_FILES)
      throw importFault(wanted, `matches more than ${MAX_FILES} files`, "narrow the pattern");
  }
  return names.sort();
}

const isGits = (path: string): boolean => path.split(sep).includes(".git");

/** Where a path of a Markdown command leads. */
export function locateFile(
  path: string,
  { folder, home, layerFolder }: Pick<BodyContext, "folder" | "home" | "layerFolder">,
): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  const located = isAbsolute(path) ? resolve(path) : resolve(folder, path);
  if (layerFolder === undefined) return located;
  // What was trusted with the command steers it as much as the command itself.
  const way = relative(layerFolder.shown, located);
  return way === ".." || way.startsWith("../") ? located : join(layerFolder.real, way);
}
