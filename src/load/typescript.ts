// Imports one command file: TypeScript by Node's type stripping, or JavaScript.
import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fault } from "../command/fault.ts";
import { withOutputTurned } from "./import-output.ts";
import { coverFolder } from "./import-rules.ts";
import { type LayerSource, showFile } from "./layer-source.ts";

export interface ModuleFile {
  readonly source: LayerSource;
  readonly path: string;
  /** Counts reloads; every one imports all modules anew. */
  readonly generation: number;
  readonly libraryUrl: string;
}

/** What the file exports by default. */
export async function importDefault(file: ModuleFile): Promise<unknown> {
  const exported: unknown = await withOutputTurned(() => import(addressOf(file)));
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

function addressOf({ source, path, generation, libraryUrl }: ModuleFile): string {
  coverFolder(source, libraryUrl);
  // Node goes by the real path: a file linked from elsewhere is covered where it really lies.
  const real = realpathSync.native(path);
  if (dirname(real) !== dirname(path) && !real.startsWith(join(source.folder, "/")))
    coverFolder({ ...source, folder: dirname(real), shown: dirname(real) }, libraryUrl);
  return `${pathToFileURL(path).href}?v=${generation}.${statSync(path).mtimeMs}`;
}
