// From an import as written to the files it means, links resolved and permission asked.
import { realpathSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fault } from "../../../command/fault.ts";
import { problemOf } from "../../../config/file-problem.ts";
import { statOf } from "../../../config/fingerprint.ts";
import type { FileImport } from "../body.ts";
import { unescapePath } from "../scan/import-text.ts";
import type { World } from "../world.ts";
import { expandGlob } from "./glob-files.ts";
import { importFault } from "./import-fault.ts";
import { locateFile } from "./locate-file.ts";

export interface FoundFile {
  /** What the reader of the prompt is told. */
  readonly shown: string;
  /** Real. */
  readonly path: string;
}

export async function findFiles(wanted: FileImport, world: World): Promise<FoundFile[]> {
  const literal = locateFile(unescapePath(wanted.path), world);
  // `app/[id]/page.tsx` is a pattern by its looks and a file by its name.
  if (wanted.isGlob && statOf(literal, statSync) === null) return findMatches(wanted, world);
  const path = await resolveLinks(literal, wanted);
  if (path === ownPath(world))
    throw importFault(wanted, "is the file itself: a circle of one", "import another file");
  await askPermission(path, wanted, world);
  if (statOf(path, statSync)?.isDirectory() === true)
    throw importFault(wanted, "is a folder", `import its files with \`${wanted.written}/*\``);
  return [{ shown: unescapePath(wanted.path), path }];
}

const ownPath = ({ file }: World): string =>
  statOf(file, statSync) === null ? file : realpathSync.native(file);

async function findMatches(wanted: FileImport, world: World): Promise<FoundFile[]> {
  const own = ownPath(world);
  const { base, pattern } = splitPattern(wanted.path);
  const folder = locateFile(unescapePath(base), world);
  const names = await expandGlob({ folder, pattern, wanted, world });
  const found: FoundFile[] = [];
  for (const name of names) {
    const path = await resolveLinks(join(folder, name), wanted);
    if (path === own) continue;
    await askPermission(path, wanted, world);
    found.push({ shown: `${unescapePath(base)}${name}`, path });
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
    throw importFault(wanted, `cannot be read: ${problemOf(error)}`, hint);
  }
}

async function askPermission(path: string, wanted: FileImport, world: World): Promise<void> {
  if (world.ownFolders.some((folder) => isInside(path, folder))) return;
  const { written, where } = wanted;
  if (await world.importPermission({ path, written, where })) return;
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
