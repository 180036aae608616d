// Files that define one command each: which kinds there are, what a file's name says, how one is loaded.
import { basename, extname } from "node:path";
import type { Command, CommandSummary } from "../command/definition.ts";
import { type Fault, fault, type Where } from "../command/fault.ts";
import { isCommandName, PROGRAM_WORDS } from "../command/registry.ts";
import type { LayerSource } from "./layer-source.ts";

/** A kind of command files, by the extension of their names. Features contribute kinds. */
export interface FileKind {
  readonly extensions: readonly string[];
  /** What may stand behind a command's name in the name of its file. */
  readonly endings: readonly string[];
  /** The command's name, as the file's name says it. */
  nameOf(fileName: string): string;
  /** With a summary from the index the file was checked before, as it is now, and is not checked again. */
  load(file: DefinitionFile, known: CommandSummary | null): Promise<Command>;
}

/** A file that defines one command. */
export interface DefinitionFile {
  readonly source: LayerSource;
  readonly path: string;
  readonly name: string;
  /** Counts reloads of this process. */
  readonly generation: number;
  readonly libraryUrl: string;
}

/** Null for a file that defines no command: another kind, a hidden one, types only. */
export function findKind(kinds: readonly FileKind[], fileName: string): FileKind | null {
  if (fileName.startsWith(".") || fileName.endsWith(".d.ts")) return null;
  // A README says something about the folder and is no command.
  if (fileName === "README.md") return null;
  const extension = extname(fileName);
  return kinds.find(({ extensions }) => extensions.includes(extension)) ?? null;
}

/** The names that the file of a command can have. */
export const fileNamesOf = (kinds: readonly FileKind[], name: string): string[] =>
  kinds.flatMap(({ endings }) => endings.map((ending) => name + ending));

/** Why nothing can be defined or disabled under this name; null for a name that is free to use. */
export function nameProblem(name: string, where: () => Where): Fault | null {
  if (!isCommandName(name)) return fault("NameInvalid", { name }, { where: where() });
  if (!PROGRAM_WORDS.has(name)) return null;
  return fault("NameReserved", { name }, { where: where(), hint: "give it another name" });
}

/** A file gets so long to load. */
export const LOAD_LIMIT_MS = 5_000;

/** `file` as its owner knows it. */
export const loadLimitFault = (file: string): Fault =>
  fault(
    "FileInvalid",
    { problem: `it did not finish loading within ${LOAD_LIMIT_MS / 1_000} s` },
    {
      where: { file },
      hint: `do the work of \`${basename(file)}\` when it runs, not while it is loaded; it is tried again when it is called by its name`,
    },
  );

export async function withinLoadLimit<Result>(
  file: string,
  loading: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(loadLimitFault(file)), LOAD_LIMIT_MS);
  });
  try {
    return await Promise.race([loading, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
