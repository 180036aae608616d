import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { LayerName } from "../command/registry.ts";

/** Where the files of a layer are read from. */
export interface LayerSource {
  readonly layer: Exclude<LayerName, "bundled">;
  readonly plugin: string | null;
  /** For a project the folder in the trusted copy. */
  readonly folder: string;
  /** The same folder as its owner knows it; every message says this one. */
  readonly shown: string;
  readonly commandsFolder: string;
  /** A plugin has neither `commands.yaml` nor `config.yaml`. */
  readonly hasYaml: boolean;
  /** What imports may not leave: the trusted copy. Null where the user's own files are at work. */
  readonly boundary: string | null;
  /** A trusted copy is never written to again. */
  readonly isFixed: boolean;
}

/** The path of a file of the layer as its owner knows it. */
export const showFile = (source: LayerSource, path: string): string =>
  join(source.shown, relative(source.folder, path));

/** The same for every such path, or address, within a text; of a project, for all of its copy. */
export function showPaths({ folder, shown, boundary }: LayerSource, text: string): string {
  const from = boundary ?? folder;
  const to = boundary === null ? shown : dirname(shown);
  if (from === to) return text;
  return text.replaceAll(pathToFileURL(from).href, pathToFileURL(to).href).replaceAll(from, to);
}
