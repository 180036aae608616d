// Files of other people that an agent reads beside the one that is all ours.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../../command/fault.ts";
import { errorCode } from "../../config/file-problem.ts";
import { readText } from "../../config/read-text.ts";
import {
  type HookInstaller,
  INSTALL_SCOPES,
  type InstallPlace,
} from "../../hooks/install/installer.ts";
import { listHandlers } from "../../hooks/install/our-entry.ts";

/** Those that can decide before a tool runs. */
export function listNeighbours(installer: HookInstaller, place: InstallPlace): string[] {
  const files = INSTALL_SCOPES.map((scope) => installer.configFile(scope, place));
  switch (installer.agent) {
    case "opencode":
      return files.flatMap((file) => listBeside(file, /\.[jt]s$/));
    case "copilot":
      return files.flatMap(listCopilotFiles).filter(hasToolHook);
    default:
      return [];
  }
}

/** Hooks may also stand in the settings, which are in another folder for a project (1.0.102). */
function listCopilotFiles(file: string): string[] {
  const above = dirname(dirname(file));
  const settings = ["settings.json", "copilot/settings.json", "copilot/settings.local.json"];
  return [...listBeside(file, /\.json$/), ...settings.map((name) => join(above, name))];
}

function listBeside(file: string, wanted: RegExp): string[] {
  const folder = dirname(file);
  const names = readFolder(folder).filter((name) => wanted.test(name));
  return names.map((name) => join(folder, name)).filter((path) => path !== file);
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return [];
  }
}

const EVENTS = new Set(["preToolUse", "PreToolUse", "permissionRequest", "PermissionRequest"]);

/** One that cannot be read is told of as well. */
function hasToolHook(file: string): boolean {
  try {
    const config: unknown = JSON.parse(readText(file) ?? "{}");
    return listHandlers(config).some(({ event }) => EVENTS.has(event));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Fault) return true;
    throw error;
  }
}
