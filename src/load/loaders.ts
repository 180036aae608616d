// The kinds of files that define a command, by their extension. One more kind is one more line.
import { extname } from "node:path";
import { MARKDOWN_ENDINGS } from "../markdown/file-name.ts";
import type { Loader } from "./command-file.ts";
import type { LayerSource } from "./layer-source.ts";

// What importing a module takes is loaded with the first module.
const loadModule: Loader = async (file, known) =>
  (await import("./module-command.ts")).loadModule(file, known);

// The front matter is YAML, which is loaded with the first Markdown file.
const loadMarkdown: Loader = async (file, known) =>
  (await import("./markdown-command.ts")).loadMarkdown(file, known);

const LOADERS: ReadonlyMap<string, Loader> = new Map([
  [".ts", loadModule],
  [".js", loadModule],
  [".mjs", loadModule],
  [".md", loadMarkdown],
]);

/** Null for a file that defines no command: another kind, a hidden one, types only. */
export function findLoader(source: LayerSource, fileName: string): Loader | null {
  if (fileName.startsWith(".") || fileName.endsWith(".d.ts")) return null;
  // A word about the folder, not a command.
  if (fileName === "README.md") return null;
  const extension = extname(fileName);
  // Node strips no types below `node_modules`; what a plugin ships is beside its source.
  if (source.layer === "plugin" && extension === ".ts") return null;
  return LOADERS.get(extension) ?? null;
}

/** What may stand behind a command's name in the name of its file. */
export const EXTENSIONS: readonly string[] = [...new Set([...LOADERS.keys(), ...MARKDOWN_ENDINGS])];
