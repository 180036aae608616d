// What was last good: a file that does not parse must not switch off the guards it had.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../config/file-problem.ts";
import { pathName } from "../config/path-name.ts";
import { replaceCache } from "../config/replace-file.ts";
import type { HooksForm } from "./hooks-file.ts";
import { readState } from "./read-state.ts";

// Counts up when what stands in the file changes its meaning.
const FORMAT = 1;

const goodFile = (stateDir: string, id: string): string =>
  join(stateDir, "hooks", "good", `${pathName(id)}.json`);

export interface LastGood<Value> {
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
      const saved = readState(goodFile(stateDir, id));
      return saved !== null && saved.format === FORMAT && isValue(saved.value) ? saved.value : null;
    },
    write: (id, value) => {
      replaceCache(goodFile(stateDir, id), JSON.stringify({ format: FORMAT, value }));
    },
    forget: (id) => {
      try {
        rmSync(goodFile(stateDir, id), { force: true });
      } catch (error) {
        // As with any cache: a state folder that cannot be written keeps what it has.
        if (errorCode(error) === null) throw error;
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

export const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string");
