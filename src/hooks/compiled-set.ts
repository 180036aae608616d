// The hooks of one place, compiled: one JSON file that says by itself whether it is still true. No YAML is read
// while nothing changed. It can always be made anew.
import { join } from "node:path";
import { fingerprint } from "../config/fingerprint.ts";
import { pathName } from "../config/path-name.ts";
import { replaceCache } from "../config/replace-file.ts";
import { readState } from "./read-state.ts";
import type { HookSet } from "./rule.ts";

export interface CompiledSet {
  /** Every file it depends on as it was, null where none was there. */
  readonly stamps: Readonly<Record<string, string | null>>;
  readonly set: HookSet;
}

// Counts up when what stands in the file changes its meaning.
const FORMAT = 1;

export interface CompiledPlace {
  readonly file: string;
  /** A form written under another key says nothing. */
  readonly key: string;
}

export interface CompiledOf {
  readonly stateDir: string;
  readonly configDir: string;
  readonly root: string;
  /** Where the project's hooks come from, null where none count. */
  readonly copyDir: string | null;
  readonly version: string;
}

export function placeCompiled(of: CompiledOf): CompiledPlace {
  const { stateDir, configDir, root, copyDir, version } = of;
  return {
    file: join(stateDir, "hooks", `${pathName(root)}.json`),
    key: JSON.stringify([FORMAT, version, configDir, root, copyDir]),
  };
}

/** Null when there is none, or none that is true by now. */
export function readCompiled({ file, key }: CompiledPlace): HookSet | null {
  const saved = readState(file);
  if (saved === null || saved.key !== key || !isStamps(saved.stamps)) return null;
  const isTrue = Object.entries(saved.stamps).every(([path, stamp]) => fingerprint(path) === stamp);
  return isTrue && isSet(saved.set) ? saved.set : null;
}

export function writeCompiled({ file, key }: CompiledPlace, compiled: CompiledSet): void {
  replaceCache(file, JSON.stringify({ key, ...compiled }));
}

const isStamps = (value: unknown): value is CompiledSet["stamps"] =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// Under our own key the rules are what we wrote.
const isSet = (value: unknown): value is HookSet =>
  typeof value === "object" &&
  value !== null &&
  "rules" in value &&
  Array.isArray(value.rules) &&
  "broken" in value &&
  Array.isArray(value.broken) &&
  "warnings" in value &&
  Array.isArray(value.warnings);
