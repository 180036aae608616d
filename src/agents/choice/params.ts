// Params in force become fields of an agent's run configuration. Pure: one function for turns, `adj agent run` and
// Markdown commands alike. What the agent has no place for is left out and named.

import type { JsonValue } from "../../core/command/context.ts";
import { didYouMean } from "../../core/command/names.ts";
import { asRecord, isJsonObject, parseJson } from "../../core/project/json-value.ts";
import { findAgent } from "../roster.ts";
import type { AgentAdapter } from "../run/adapter.ts";
import { PORTABLE_SETTINGS } from "../run/capabilities.ts";
import { normalizeParamPath, type Params } from "./param-words.ts";

interface ParamInForce {
  readonly path: string;
  readonly value: JsonValue;
  readonly source: "flag" | "session" | "settings";
}

interface ParamLayers {
  /** `--param` of this one call. */
  readonly flags?: Params;
  readonly session: Params;
  /** The project's over the user's. */
  readonly settings: JsonValue | undefined;
}

/** The highest layer counts, path by path; sorted by path. */
export function listParams({ flags = {}, session, settings }: ParamLayers): ParamInForce[] {
  const layers = [
    ["settings", isJsonObject(settings) ? settings : {}],
    ["session", session],
    ["flag", flags],
  ] as const;
  const found = new Map<string, ParamInForce>();
  for (const [source, params] of layers)
    for (const [path, value] of Object.entries(params))
      found.set(normalizeParamPath(path), { path, value, source });
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

export const paramValues = (inForce: readonly ParamInForce[]): Params =>
  Object.fromEntries(inForce.map(({ path, value }) => [path, value]));

/** Settings with a command of their own: one value in two places would make nobody the wiser. */
export const OWN_COMMANDS: ReadonlyMap<string, string> = new Map([
  ["model", "set it with `adj model NAME`"],
  ["permission_mode", "set it with `adj mode`, for one run with `--permission`"],
  ["resume", "`adj resume` opens a saved session"],
]);

/** What lets an agent do or start more than it may now; only a person sets it. */
const WIDENING: ReadonlySet<string> = new Set([
  ...["allowed_tools", "disallowed_tools", "mcp_config", "settings", "add_dirs", "agent_name"],
  ...["argv", "offer_files", "cassette"],
]);

export const isWidening = (path: string): boolean =>
  WIDENING.has(normalizeParamPath(path).split(".", 1)[0] ?? "");

/** The settings that a param can be for this agent. */
export function listParamSettings(adapter: AgentAdapter, version: string | null): string[] {
  const { settings } = adapter.capabilities(version);
  const portable = PORTABLE_SETTINGS.filter((name) => settings[name] !== undefined);
  const own = findAgent(adapter.name)?.ownFields ?? [];
  return [...portable, ...own].filter((name) => !["permission_mode", "resume"].includes(name));
}

/** Values that are maps, whose parts have paths of their own. */
const MAPS: ReadonlySet<string> = new Set(["mcp_config", "settings", "output_schema"]);

/** Why there is no place for a path among these, with the nearest; null where there is one. */
export function findParamProblem(
  path: string,
  settingNames: readonly string[],
  agent: string | null,
): string | null {
  const setting = normalizeParamPath(path);
  const [head = "", ...below] = setting.split(".");
  if (settingNames.includes(head) && (below.length === 0 || MAPS.has(head))) return null;
  const who = agent === null ? "no agent has a place" : `\`${agent}\` has no place`;
  return `${who} for \`${path}\`${didYouMean(setting, settingNames, 1)}`;
}

interface LeftOutParam {
  readonly path: string;
  readonly problem: string;
}

export interface ResolvedParams {
  /** Fields of the agent's run configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly leftOut: readonly LeftOutParam[];
  /** The values of variables among them, which nothing may keep. */
  readonly secrets: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** `env` is the caller's environment, from which `env:NAME` is filled in; without one such a value stays as it is. */
export function resolveParams(
  adapter: AgentAdapter,
  version: string | null,
  params: Params,
  env: Variables | null = null,
): ResolvedParams {
  const settingNames = listParamSettings(adapter, version);
  const leftOut: LeftOutParam[] = [];
  const secrets: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(params)) {
    const filled = fillReference(value, env);
    if (filled.secret !== null) secrets.push(filled.secret);
    const problem = findParamProblem(path, settingNames, adapter.name) ?? filled.problem;
    if (problem !== null) leftOut.push({ path, problem });
    else putValue(settings, normalizeParamPath(path), filled.value);
  }
  for (const [name, value] of Object.entries(settings)) {
    const problem = env === null && isReference(value) ? null : findProblem(adapter, name, value);
    if (problem === null) continue;
    delete settings[name];
    leftOut.push({ path: name, problem: `\`${name}\` ${problem}` });
  }
  return { settings, leftOut, secrets };
}

const REFERENCE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

/** The variable that a value stands for, null where it stands for itself. */
export const referenceIn = (value: unknown): string | null =>
  typeof value === "string" ? (REFERENCE.exec(value)?.[1] ?? null) : null;

const isReference = (value: unknown): boolean => referenceIn(value) !== null;

interface FilledValue {
  readonly value: unknown;
  readonly secret: string | null;
  readonly problem: string | null;
}

function fillReference(value: JsonValue, env: Variables | null): FilledValue {
  const name = referenceIn(value);
  if (name === null || env === null) return { value, secret: null, problem: null };
  const found = env[name];
  if (found === undefined) return { value, secret: null, problem: `\`${name}\` is not set` };
  return { value: found, secret: found, problem: null };
}

const LISTS: ReadonlySet<string> = new Set([
  ...["allowed_tools", "disallowed_tools", "add_dirs", "argv"],
]);
const NUMBERS: ReadonlySet<string> = new Set(["max_tokens", "max_turns", "temperature"]);
const FLAGS: ReadonlySet<string> = new Set(["offer_files"]);

/** What was typed as a setting wants it: one value is a list of one, a number may come as text. */
function shapeValue(name: string, value: unknown): unknown {
  if (LISTS.has(name)) return Array.isArray(value) ? value : readList(String(value));
  if (NUMBERS.has(name)) return typeof value === "string" && value !== "" ? Number(value) : value;
  const isScalar = typeof value === "number" || typeof value === "boolean";
  return isScalar && !FLAGS.has(name) ? String(value) : value;
}

/** What only begins like a list is one value; the adapter says what is wrong with it. */
const readList = (text: string): unknown =>
  text.startsWith("[") ? (parseJson(text) ?? [text]) : [text];

/** `settings.env.NAME` is put where it belongs in a map. */
function putValue(settings: Record<string, unknown>, setting: string, value: unknown): void {
  const [head = "", ...below] = setting.split(".");
  const last = below.pop();
  if (last === undefined) {
    settings[head] = shapeValue(head, value);
    return;
  }
  let map = openMap(settings, head);
  for (const name of below) map = openMap(map, name);
  map[last] = value;
}

function openMap(within: Record<string, unknown>, name: string): Record<string, unknown> {
  const known = within[name];
  const map: Record<string, unknown> = { ...asRecord(known) };
  within[name] = map;
  return map;
}

/** What the run would find wrong with this one field. */
function findProblem(adapter: AgentAdapter, name: string, value: unknown): string | null {
  const check = adapter.checkConfig(
    { prompt: "…", [name]: value },
    { agentVersion: null, isRoot: false, env: {} },
  );
  if (check.kind === "valid") return null;
  return check.problems.find(({ path }) => path.split(/[.[]/, 1)[0] === name)?.message ?? null;
}
