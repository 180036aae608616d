// Where each layer's files lie.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../config/file-problem.ts";
import { LAYER_FOLDER } from "../config/project-root.ts";
import type { LayerSource } from "./layer-source.ts";
import type { Plugin } from "./plugins.ts";

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
    if (errorCode(error) === null) throw error;
    return folder;
  }
}
