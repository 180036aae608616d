import { join } from "node:path";
import type { InstallPlace } from "./installer.ts";

/** The folder that a variable of the agent names, else the usual one below home. */
export const agentHome = ({ env, home }: InstallPlace, variable: string, usual: string): string =>
  env[variable] || join(home, usual);

export const seconds = (ms: number): number => Math.ceil(ms / 1000);
