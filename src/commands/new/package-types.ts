import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCode } from "../../config/file-problem.ts";

const INSTALLED = "node_modules/adjutant/dist/types/surfaces/library.d.ts";

/** Where an editor finds the types of `adjutant`, best first; relative where that works for everybody. */
export function findTypePlaces(folder: string, root: string): string[] {
  const inProject = relative(folder, join(root, INSTALLED));
  const running = findRunningTypes();
  if (running === null) return [inProject];
  const isInside = !relative(root, running).startsWith("..");
  return [...new Set([inProject, isInside ? relative(folder, running) : running])];
}

/** Of the very package that runs: built types, else the source they are built from. */
function findRunningTypes(): string | null {
  const home = findPackage(dirname(fileURLToPath(import.meta.url)));
  if (home === null) return null;
  const places = ["dist/types/surfaces/library.d.ts", "src/surfaces/library.ts"];
  return places.map((place) => join(home, place)).find((place) => existsSync(place)) ?? null;
}

function findPackage(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (nameIn(join(folder, "package.json")) === "adjutant") return folder;
    if (dirname(folder) === folder) return null;
  }
}

function nameIn(file: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null && "name" in value ? value.name : null;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
