// The project files outside `.adjutant` that its YAML files name as programs.
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { Fault, fault } from "../command/fault.ts";
import { programFiles, shellFiles } from "./program-files.ts";
import { LAYER_FOLDER } from "./project-root.ts";

/** The files of a layer that start programs. */
export const PROGRAM_SOURCES = ["commands.yaml", "hooks.yaml"] as const;

interface NamedWord {
  readonly word: string;
  /** A `cwd` of the definition, as written. */
  readonly cwd: string | null;
  /** The program itself, which is looked for beside the file and nowhere else. */
  readonly isProgram: boolean;
}

/**
 * Paths from the root, whether something is there or not, of everything these YAML texts may
 * execute. A text that is not YAML names nothing: it cannot be loaded either.
 */
export async function findNamedPrograms(
  root: string,
  texts: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (texts.size === 0) return [];
  const { parseYaml } = await import("./yaml-file.ts");
  const paths = new Set<string>();
  for (const [file, text] of texts) {
    const words: NamedWord[] = [];
    try {
      collectWords(parseYaml(text, file).value, words);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    for (const word of words) for (const path of candidates(root, word)) paths.add(path);
  }
  return [...paths].sort();
}

/** A hook's `cwd` stands beside its `run`, so it holds for what is inside, too. */
function collectWords(value: unknown, words: NamedWord[], outerCwd: string | null = null): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collectWords(item, words, outerCwd);
    return;
  }
  const definition: Readonly<Record<string, unknown>> = { ...value };
  const cwd = typeof definition.cwd === "string" ? definition.cwd : outerCwd;
  for (const argv of [definition.argv, definition.argv_windows, shellWords(definition.shell)]) {
    const list = Array.isArray(argv) ? argv.filter((word) => typeof word === "string") : [];
    for (const word of programFiles(list)) words.push({ word, cwd, isProgram: word === list[0] });
  }
  if (typeof definition.command === "string")
    for (const word of shellFiles(definition.command)) words.push({ word, cwd, isProgram: false });
  for (const item of Object.values(definition)) collectWords(item, words, cwd);
}

/** A shell of one's own is a program like any other. */
function shellWords(shell: unknown): unknown[] {
  if (typeof shell !== "object" || shell === null || !("program" in shell)) return [];
  return [shell.program, ...("args" in shell && Array.isArray(shell.args) ? shell.args : [])];
}

/**
 * Where a word may lead: from the folder of the file, from the root, from its `cwd`. A script's
 * path is resolved by its interpreter, so every one of these could be what runs.
 */
export function candidatePaths(root: string, word: string, cwd: string | null): string[] {
  const folder = join(root, LAYER_FOLDER);
  const bases = [folder, root, ...(cwd === null ? [] : [resolve(folder, cwd)])];
  const paths = bases.flatMap((base) => pathInside(root, resolve(base, word)) ?? []);
  return [...new Set(paths)];
}

function candidates(root: string, { word, cwd, isProgram }: NamedWord): string[] {
  if (!isProgram) return candidatePaths(root, word, cwd);
  const path = pathInside(root, resolve(root, LAYER_FOLDER, word));
  if (path !== null) return [path];
  // A program of the system, not one of the project.
  if (isAbsolute(word)) return [];
  throw fault(
    "TrustRefused",
    { root, problem: `the program \`${word}\` lies outside the project` },
    { hint: "move it into the project, or name it by its absolute path" },
  );
}

/** The path from the root, null for what lies outside it. */
export function pathInside(root: string, path: string): string | null {
  const inside = relative(root, path);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return null;
  return inside.split(sep).join("/");
}
