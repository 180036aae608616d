// What an agent's own settings files say that bears on hooks, in every layer it reads. Loads parsers, so it is not for
// the way of a hook.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Agent, SettingsContext } from "../agent.ts";
import { isRecord } from "../log/json-fields.ts";

interface HooksSwitch {
  readonly layer: "user" | "project" | "managed";
  readonly file: string;
  /** Continues "… in FILE". */
  readonly why: string;
  /** Hooks are not called, or called with variables by which they look at other files than the person's. */
  readonly effect: "off" | "moved";
}

/** Where the agent is told to call no hooks, or not ours. */
export async function findHooksOff(agent: Agent, place: SettingsContext): Promise<HooksSwitch[]> {
  const { settings, hooksOff } = agent;
  if (settings === undefined || hooksOff === undefined) return [];
  const layers = Object.entries(settings(place)) as [HooksSwitch["layer"], readonly string[]][];
  const found: HooksSwitch[] = [];
  for (const [layer, paths] of layers)
    for (const file of paths.flatMap(listFiles)) {
      const value = await readSettingsFile(file);
      const why = value === null ? null : hooksOff(value);
      if (why !== null) found.push({ layer, file, why, effect: "off" });
      // What a person sets in a file of their own is theirs to decide.
      const names = layer === "project" ? movingVariables(Object.keys(Object(value?.env))) : [];
      if (names.length > 0)
        found.push({ layer, file, why: `\`env\` sets ${names.join(", ")}`, effect: "moved" });
    }
  const files = (agent.variableFiles ?? []).map((name) => join(place.root, name));
  for (const file of files.flatMap(listFiles)) {
    const names = movingVariables(readVariableNames(file));
    if (names.length > 0)
      found.push({ layer: "project", file, why: `it sets ${names.join(", ")}`, effect: "moved" });
  }
  return found;
}

/** By these a hook finds its files, its programs and what is loaded with them. */
const MOVING =
  /^(ADJ_\w+|HOME|XDG_(CONFIG|STATE|DATA)_HOME|PATH|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|NODE_(OPTIONS|PATH)|(LD|DYLD)_\w+)$/;

const movingVariables = (names: readonly string[]): string[] =>
  names.filter((name) => MOVING.test(name)).map((name) => `\`${name}\``);

/** The names that a `.env` file gives values to. */
function readVariableNames(file: string): string[] {
  const lines = readText(file)?.split("\n") ?? [];
  return lines.flatMap((line) => /^\s*(?:export\s+)?(\w+)\s*[=:]/.exec(line)?.[1] ?? []);
}

/** Which of the project's files this agent would take hooks, servers or plugins from. */
export const listProjectFiles = (agent: Agent, place: SettingsContext): string[] =>
  [
    ...(agent.settings?.(place).project ?? []),
    ...(agent.projectServers ?? []).map((file) => join(place.root, file)),
  ].flatMap(listFiles);

/** The settings files of a layer that are there, those that say nothing of hooks too. */
export const listSettingsFiles = (
  { settings }: Agent,
  layer: HooksSwitch["layer"],
  place: SettingsContext,
): string[] =>
  (settings?.(place)[layer] ?? []).flatMap(listFiles).filter((file) => /\.(json|toml)$/.test(file));

/** The files of a folder, or the file itself; nothing where it is not there. */
function listFiles(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  return stat.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
}

/** Null for what is no file, so that nobody waits for a pipe that a repository puts there. */
function readText(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= MAX_BYTES ? readFileSync(file, "utf8") : null;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Null for what the agent could not read either. */
export async function readSettingsFile(
  file: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const text = readText(file);
    if (text === null) return null;
    const value: unknown = file.endsWith(".toml")
      ? (await import("smol-toml")).parse(text)
      : (await import("jsonc-parser")).parse(text, [], { allowTrailingComma: true });
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
