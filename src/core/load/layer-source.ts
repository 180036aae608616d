// Where the files of each layer lie, and how their owner knows them.
import { realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { LayerName } from "../command/registry.ts";
import { fileErrorCode } from "../project/files.ts";
import { LAYER_FOLDER } from "../project/paths.ts";
import type { Plugin } from "./plugins.ts";

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

/** The path of a file of the layer as its owner knows it; what lies outside the trusted copy is known by its own path. */
export const showFile = ({ folder, shown, boundary }: LayerSource, path: string): string =>
  boundary === null || path.startsWith(join(boundary, "/"))
    ? join(shown, relative(folder, path))
    : path;

/** The same for every such path, or address, within a text; of a project, for all of its copy. */
export function showPaths({ folder, shown, boundary }: LayerSource, text: string): string {
  const from = boundary ?? folder;
  const to = boundary === null ? shown : dirname(shown);
  if (from === to) return text;
  return text.replaceAll(pathToFileURL(from).href, pathToFileURL(to).href).replaceAll(from, to);
}

// Where each layer's files lie.

export function userSource(configDir: string): LayerSource {
  const folder = realFolder(configDir);
  return {
    layer: "user",
    plugin: null,
    folder,
    shown: configDir,
    commandsFolder: join(folder, "commands"),
    hasYaml: true,
    boundary: null,
    isFixed: false,
  };
}

export function projectSource(root: string, copyDir: string): LayerSource {
  const boundary = realFolder(copyDir);
  const folder = join(boundary, LAYER_FOLDER);
  return {
    layer: "project",
    plugin: null,
    folder,
    shown: join(root, LAYER_FOLDER),
    commandsFolder: join(folder, "commands"),
    hasYaml: true,
    boundary,
    isFixed: true,
  };
}

/** Nothing for a plugin without commands. */
export function pluginSources({ name, folder, commandsFolder }: Plugin): LayerSource[] {
  if (commandsFolder === null) return [];
  return [
    {
      layer: "plugin",
      plugin: name,
      folder,
      shown: folder,
      commandsFolder,
      hasYaml: false,
      boundary: null,
      isFixed: false,
    },
  ];
}

/** Node knows modules by their real paths, so the rules for importing must, too. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return folder;
  }
}
