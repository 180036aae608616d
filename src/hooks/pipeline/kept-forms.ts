// What is kept of hooks files: the rules of a project in force, compiled, so that no YAML is read while nothing changed;
// and what each file last said when it was good, because one that does not parse must not switch off its guards.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileErrorCode, replaceCache } from "../../core/project/files.ts";
import { type KeptFile, readJsonObject, readKept } from "../../core/project/kept-value.ts";
import { pathToFileName } from "../../core/project/paths.ts";
import type { HookSet } from "../match/rule.ts";
import type { HooksForm } from "./file.ts";

/** What a compiled set depends on beside the files themselves. */
export interface CompiledOf {
  readonly stateDir: string;
  readonly configDir: string;
  readonly root: string;
  /** Where the project's hooks come from, null where none count. */
  readonly copyDir: string | null;
  readonly version: string;
}

// Counts up when what stands in the file changes its meaning.
const SET_FORMAT = 1;

export function compiledFile(of: CompiledOf): KeptFile {
  const { stateDir, configDir, root, copyDir, version } = of;
  return {
    file: join(stateDir, "hooks", `${pathToFileName(root)}.json`),
    key: JSON.stringify([SET_FORMAT, version, configDir, root, copyDir]),
  };
}

/** Null when there is none, or none that is true by now. */
export function readCompiled(kept: KeptFile): HookSet | null {
  const set = readKept(kept);
  return isSet(set) ? set : null;
}

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

// Counts up when what stands in the file changes its meaning.
const FORM_FORMAT = 1;

const goodFile = (stateDir: string, id: string): string =>
  join(stateDir, "hooks", "good", `${pathToFileName(id)}.json`);

interface LastGood<Value> {
  read(id: string): Value | null;
  write(id: string, value: Value): void;
  /** Its owner removed it. */
  forget(id: string): void;
}

export function keepLastGood<Value>(
  stateDir: string,
  isValue: (value: unknown) => value is Value,
): LastGood<Value> {
  return {
    read: (id) => {
      const saved = readJsonObject(goodFile(stateDir, id));
      return saved !== null && saved.format === FORM_FORMAT && isValue(saved.value)
        ? saved.value
        : null;
    },
    write: (id, value) => {
      replaceCache(goodFile(stateDir, id), JSON.stringify({ format: FORM_FORMAT, value }));
    },
    forget: (id) => {
      try {
        rmSync(goodFile(stateDir, id), { force: true });
      } catch (error) {
        // As with any cache: a state folder that cannot be written keeps what it has.
        if (fileErrorCode(error) === null) throw error;
      }
    },
  };
}

/** Of a project that is no longer trusted the copy is gone, and with it what its rules would run. */
export const isForm = (value: unknown): value is HooksForm =>
  typeof value === "object" &&
  value !== null &&
  "rules" in value &&
  Array.isArray(value.rules) &&
  value.rules.every(hasFolder) &&
  "disable" in value &&
  Array.isArray(value.disable);

const hasFolder = (rule: unknown): boolean =>
  typeof rule === "object" &&
  rule !== null &&
  "folder" in rule &&
  typeof rule.folder === "string" &&
  existsSync(rule.folder);
