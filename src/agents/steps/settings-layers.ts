// What an agent's own settings files say that bears on hooks, in every layer it reads. Loads parsers, so it is not for
// the way of a hook.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Agent, SettingsPlace } from "../agent.ts";
import { isRecord } from "../log/json-fields.ts";

interface HooksSwitch {
  readonly layer: "user" | "project" | "managed";
  readonly file: string;
  /** Continues "… in FILE". */
  readonly why: string;
}

/** Where the agent is told to call no hooks, or not ours. */
export async function findHooksOff(agent: Agent, place: SettingsPlace): Promise<HooksSwitch[]> {
  const { settings, hooksOff } = agent;
  if (settings === undefined || hooksOff === undefined) return [];
  const layers = Object.entries(settings(place)) as [HooksSwitch["layer"], readonly string[]][];
  const found: HooksSwitch[] = [];
  for (const [layer, paths] of layers)
    for (const file of paths.flatMap(listFiles)) {
      const value = await readSettingsFile(file);
      const why = value === null ? null : hooksOff(value);
      if (why !== null) found.push({ layer, file, why });
    }
  return found;
}

/** Which of the project's files this agent would take hooks, servers or plugins from. */
export const listProjectFiles = (agent: Agent, place: SettingsPlace): string[] =>
  [
    ...(agent.settings?.(place).project ?? []),
    ...(agent.projectServers ?? []).map((file) => join(place.root, file)),
  ].flatMap(listFiles);

/** The files of a folder, or the file itself; nothing where it is not there. */
function listFiles(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  return stat.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Null for what the agent could not read either. */
export async function readSettingsFile(
  file: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const text = readFileSync(file, "utf8").slice(0, MAX_BYTES);
    const value: unknown = file.endsWith(".toml")
      ? (await import("smol-toml")).parse(text)
      : (await import("jsonc-parser")).parse(text, [], { allowTrailingComma: true });
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
