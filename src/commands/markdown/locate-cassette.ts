import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { BUNDLED_CASSETTES } from "../../agents/replay/bundled-cassettes.ts";
import { locateFile } from "../../markdown/body/imports/locate-file.ts";
import type { FrontMatter } from "../../markdown/front-matter-value.ts";
import type { MarkdownCall } from "./markdown-call.ts";

type Settings = Readonly<Record<string, unknown>>;

/**
 * A cassette of the file is found like its imports: from the file's folder, and in a project as it was
 * trusted, for a cassette can run commands. One of the command line is found from where that was typed.
 */
export function locateCassette(
  { file, context }: MarkdownCall,
  flags: FrontMatter,
  settings: Settings,
): Settings {
  const { cassette } = settings;
  if (typeof cassette !== "string") return settings;
  const { layerFolder, file: shown } = file;
  const home = context.env.get("HOME") ?? "/";
  const path = Object.hasOwn(flags, "cassette")
    ? resolve(context.workingDirectory, cassette)
    : locateFile(cassette, { folder: dirname(shown), home, layerFolder });
  const isBundled = Object.hasOwn(BUNDLED_CASSETTES, cassette) && !existsSync(path);
  return isBundled ? settings : { ...settings, cassette: path };
}
