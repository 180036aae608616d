// The kinds of files that define a command, by their extension. One more kind is one more line.
import { extname } from "node:path";
import type { Command, CommandSummary } from "../command/command.ts";
import type { LayerSource } from "./layer-source.ts";

export interface CommandFile {
  readonly source: LayerSource;
  readonly path: string;
  readonly name: string;
  /** Counts reloads of this process. */
  readonly generation: number;
  readonly libraryUrl: string;
}

/** With a summary from the index the file was checked before, as it is now, and is not checked again. */
export type Loader = (file: CommandFile, known: CommandSummary | null) => Promise<Command>;

// What importing a module takes is loaded with the first module.
const loadModule: Loader = async (file, known) =>
  (await import("./module-command.ts")).loadModule(file, known);

const LOADERS: ReadonlyMap<string, Loader> = new Map([
  [".ts", loadModule],
  [".js", loadModule],
  [".mjs", loadModule],
]);

/** Null for a file that defines no command: another kind, a hidden one, types only. */
export function findLoader(source: LayerSource, fileName: string): Loader | null {
  if (fileName.startsWith(".") || fileName.endsWith(".d.ts")) return null;
  const extension = extname(fileName);
  // Node strips no types below `node_modules`; what a plugin ships is beside its source.
  if (source.layer === "plugin" && extension === ".ts") return null;
  return LOADERS.get(extension) ?? null;
}

export const EXTENSIONS: readonly string[] = [...LOADERS.keys()];
