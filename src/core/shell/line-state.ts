// What is known at a place of a line: values that the line itself gave to variables, and the folders it may be in.
import { posix } from "node:path";
import type { ShellWord } from "./simple-command.ts";

export interface LineState {
  /** Null: it has a value that cannot be known. A name that is absent comes from the environment. */
  readonly variables: ReadonlyMap<string, ShellWord | null>;
  /** As in `SimpleCommand`. */
  readonly folders: readonly (string | null)[];
}

/** How a command may leave the state, by its exit code; null where it cannot end so (`exit`). */
export interface StateOutcome {
  readonly success: LineState | null;
  readonly failure: LineState | null;
}

export const START: LineState = { variables: new Map(), folders: ["."] };
/** Inside of a function, which runs who knows when. */
export const ANYWHERE: LineState = { variables: new Map(), folders: [null] };

export const bothWays = (state: LineState): StateOutcome => ({ success: state, failure: state });

const KNOWN: ReadonlySet<string> = new Set(["HOME", "PWD", "IFS", "CDPATH"]);
const MAX_VARIABLES = 100;
const MAX_FOLDERS = 8;
const MAX_VALUE_LENGTH = 4_096;

export function setVariable(state: LineState, name: string, value: ShellWord | null): LineState {
  const variables = new Map(state.variables);
  const isKnown = value !== null && (value.kind !== "open" || value.isKept === true);
  const isKept = isKnown && value.text.length <= MAX_VALUE_LENGTH;
  // A name that is not in the map is unknown as well, but for those that are known from the start.
  const isNeeded = variables.size < MAX_VARIABLES || variables.has(name) || KNOWN.has(name);
  if (!isNeeded) return state;
  variables.set(name, isKept ? value : null);
  return { ...state, variables };
}

/** After `eval`, `source` or a function any variable may be anything. */
export function forgetVariables(state: LineState): LineState {
  const variables = new Map([...state.variables.keys()].map((name) => [name, null] as const));
  return { ...state, variables };
}

export const forgetFolder = (state: LineState): LineState => ({ ...state, folders: [null] });

/** Either of two states: what differs is unknown. */
export function joinStates(a: LineState | null, b: LineState | null): LineState | null {
  if (a === null || b === null || a === b) return a ?? b;
  const folders = a.folders === b.folders ? a.folders : limitFolders([...a.folders, ...b.folders]);
  if (a.variables === b.variables) return { variables: a.variables, folders };
  const variables = new Map<string, ShellWord | null>();
  for (const name of [...a.variables.keys(), ...b.variables.keys()]) {
    const [one, other] = [a.variables.get(name) ?? null, b.variables.get(name) ?? null];
    const isSame =
      one?.text === other?.text && one?.kind === other?.kind && one?.found === other?.found;
    variables.set(name, isSame ? one : null);
  }
  return { variables, folders };
}

export const settle = ({ success, failure }: StateOutcome): LineState | null =>
  joinStates(success, failure);

function limitFolders(folders: readonly (string | null)[]): readonly (string | null)[] {
  const different = [...new Set(folders)];
  return different.includes(null) || different.length > MAX_FOLDERS ? [null] : different;
}

/** After `cd` to the folder; null where it is not known. */
export function enterFolder(state: LineState, target: string | null): LineState {
  if (target === null) return forgetFolder(state);
  return { ...state, folders: limitFolders(state.folders.map((from) => joinFolder(from, target))) };
}

/** The folder as seen from another: `b` from `a` is `a/b`. */
export function joinFolder(from: string | null, target: string): string | null {
  const path = isFixed(target) ? target : from === null ? null : `${from}/${target}`;
  if (path === null || path.length > MAX_VALUE_LENGTH || /^~[^/]/.test(path)) return null;
  // `/proc/self/cwd` leads where the process is that looks, which is not the one that will run.
  if (LEADS_BY_PROCESS.test(path)) return null;
  if (!path.startsWith("~")) return trimFolder(path);
  const below = trimFolder(`.${path.slice(1)}`);
  return below === "." ? "~" : `~/${below}`;
}

/** A program that changes its folder, as `env -C` does, follows a link before `..` leaves it; `cd` does not. */
export const changeFolder = (from: string | null, target: string | null): string | null =>
  target === null || /[^/.]\.*\/+\.\.(?:\/|$)/.test(target) ? null : joinFolder(from, target);

const LEADS_BY_PROCESS = /^\/+(proc|dev\/fd)(\/|$)/;

const isFixed = (path: string): boolean => path.startsWith("/") || path.startsWith("~");

const trimFolder = (folder: string): string => {
  const path = posix.normalize(folder);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
};
