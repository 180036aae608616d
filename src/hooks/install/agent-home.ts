import { join } from "node:path";
import type { HookInstaller, InstallPlace } from "./installer.ts";

/** The folder that a variable of the agent names, else the usual one below home. */
export const agentHome = ({ env, home }: InstallPlace, variable: string, usual: string): string =>
  env[variable] || join(home, usual);

/** In the folder of that name, the project's or the agent's own. */
export const configIn =
  (folder: string, variable: string, file: string): HookInstaller["configFile"] =>
  (scope, place) =>
    join(scope === "project" ? join(place.root, folder) : agentHome(place, variable, folder), file);

export const seconds = (ms: number): number => Math.ceil(ms / 1000);
