// What an agent's own settings files say that bears on hooks, in every layer it reads. Loads parsers, so it is not for
// the way of a hook.

import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { quoteNames } from "../../core/command/names.ts";
import { statOf } from "../../core/project/files.ts";
import { isRecord } from "../../core/project/json-value.ts";
import type { Agent, SettingsContext } from "../agent.ts";
import { MOVING_VARIABLES } from "./moving-variables.ts";

interface HooksSwitch {
  readonly layer: "user" | "project" | "managed";
  readonly file: string;
  /** Continues "… in FILE". */
  readonly why: string;
  /** Hooks are not called, or called with variables by which they look at other files than the person's. */
  readonly effect: "off" | "moved";
}

/** Where the agent is told to call no hooks, or not ours. */
export async function findHooksOff(agent: Agent, context: SettingsContext): Promise<HooksSwitch[]> {
  if (agent.settings === undefined) return [];
  const { user, managed } = agent.settings(context);
  const layers = { user, project: listProjectSettings(agent, context), managed };
  const found = listOffVariables(agent, context.env);
  for (const layer of ["user", "project", "managed"] as const)
    for (const file of layers[layer].flatMap(listFiles)) {
      const value = await readSettingsFile(file);
      if (value !== null) found.push(...judgeSettings(agent, value, { layer, file }));
    }
  const files = [...listFoldersAbove(context), ...listFolders(context)].flatMap((folder) =>
    (agent.variableFiles ?? []).map((name) => join(folder, name)),
  );
  for (const file of files.flatMap(listFiles))
    found.push(...judgeVariables(agent, readVariableNames(file), { file, lead: "it sets" }));
  return found;
}

function judgeSettings(
  { hooksOff, onlyManagedHooks, ...agent }: Agent,
  value: Readonly<Record<string, unknown>>,
  { layer, file }: Pick<HooksSwitch, "layer" | "file">,
): HooksSwitch[] {
  const why = hooksOff?.(value) ?? null;
  const only = layer === "managed" ? (onlyManagedHooks?.(value) ?? null) : null;
  return [
    ...(why === null ? [] : [{ layer, file, why, effect: "off" as const }]),
    // It reaches as far as a user's own switch: not to the entries of the machine.
    ...(only === null ? [] : [{ layer: "user" as const, file, why: only, effect: "off" as const }]),
    // What a person sets in a file of their own is theirs to decide.
    ...(layer === "project"
      ? judgeVariables(agent, Object.keys(Object(value.env)), { file, lead: "`env` sets" })
      : []),
  ];
}

/** What a project's variables do to the hooks of an agent that takes them. */
function judgeVariables(
  { hooksOffVariables }: Pick<Agent, "hooksOffVariables">,
  names: readonly string[],
  { file, lead }: { readonly file: string; readonly lead: string },
): HooksSwitch[] {
  const off = hooksOffVariables?.byProject === true ? hooksOffVariables.names : [];
  const listed = {
    off: names.filter((name) => off.includes(name)),
    moved: names.filter((name) => MOVING.test(name)),
  };
  return (["off", "moved"] as const)
    .filter((effect) => listed[effect].length > 0)
    .map((effect) => {
      const named = quoteNames(listed[effect]);
      return { layer: "project", file, why: `${lead} ${named}`, effect };
    });
}

/** Set by the person for everything that is started from here. */
const listOffVariables = (
  { hooksOffVariables }: Agent,
  env: SettingsContext["env"],
): HooksSwitch[] =>
  (hooksOffVariables?.names ?? [])
    .filter((name) => !/^(?:|0|false|no|off)$/i.test(env[name]?.trim() ?? ""))
    .map((name) => ({
      layer: "user",
      file: "the environment",
      why: `\`${name}\` is set`,
      effect: "off",
    }));

const MOVING = new RegExp(`^${MOVING_VARIABLES.source}$`);

/** The names that a `.env` file gives values to. */
function readVariableNames(file: string): string[] {
  const lines = readText(file)?.split("\n") ?? [];
  return lines.flatMap((line) => /^\s*(?:export\s+)?(\w+)\s*[=:]/.exec(line)?.[1] ?? []);
}

/** Which of the project's files this agent would take hooks, servers or plugins from. */
export const listProjectFiles = (agent: Agent, context: SettingsContext): string[] => [
  ...new Set(
    [
      ...listProjectSettings(agent, context),
      ...listFolders(context).flatMap((folder) =>
        (agent.projectServers ?? []).map((file) => join(folder, file)),
      ),
    ].flatMap(listFiles),
  ),
];

/** Of the folders that it reads, and of the root, where others start it. */
function listProjectSettings(
  { settings, projectFolders }: Agent,
  context: SettingsContext,
): string[] {
  const folders = listFolders(context);
  const read =
    projectFolders === "between"
      ? folders
      : folders.filter(
          (_, at) => at === 0 || (projectFolders === "start" && at === folders.length - 1),
        );
  return read.flatMap((root) => settings?.({ ...context, root }).project ?? []);
}

/** From the root down to where the agent is started. */
function listFolders({ root, cwd = root }: SettingsContext): string[] {
  // A folder that is not there has no settings.
  if (statOf(cwd, statSync) === null) return [root];
  const path = relative(realpathSync(root), realpathSync(cwd));
  if (path === "") return [root];
  if (path === ".." || path.startsWith(`..${sep}`)) return [root, cwd];
  const names = path.split(sep);
  return [root, ...names.map((_, at) => join(root, ...names.slice(0, at + 1)))];
}

/** The settings files of a layer that are there, those that say nothing of hooks too. */
export const listSettingsFiles = (
  { settings }: Agent,
  layer: HooksSwitch["layer"],
  context: SettingsContext,
): string[] =>
  (settings?.(context)[layer] ?? [])
    .flatMap(listFiles)
    .filter((file) => /\.(json|toml)$/.test(file));

/** Files of variables are looked for up to `/`; those in the home are the person's own. */
function listFoldersAbove({ root, home }: SettingsContext): string[] {
  const folders: string[] = [];
  for (let at = realpathSync(root); at !== dirname(at); at = dirname(at))
    folders.unshift(dirname(at));
  const own = statOf(home, statSync) === null ? home : realpathSync(home);
  return folders.filter((folder) => folder !== own);
}

/** The files of a folder, or the file itself; nothing where it is not there, or where links lead in a circle. */
function listFiles(path: string): string[] {
  const stat = statOf(path, statSync);
  if (stat === null) return [];
  return stat.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
}

/** Null for what is no file, so that nobody waits for a pipe that a repository puts there. */
function readText(file: string): string | null {
  const stat = statOf(file, statSync);
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
