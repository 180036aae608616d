// The one scheme for what is made from files and kept: JSON that says by itself whether it is still true. It can
// always be made anew, so a file that cannot be read or written costs time and nothing else.
import { readFileSync } from "node:fs";
import { fileErrorCode, replaceCache } from "./files.ts";
import { fingerprint } from "./fingerprint.ts";
import { type JsonRecord, parseJsonObject } from "./json-value.ts";

export interface KeptFile {
  readonly file: string;
  /** What the value depends on beside files: the version, the folders. Under another key it says nothing. */
  readonly key: string;
}

/** Files as they were before they were read; null where none was there. */
export type Stamps = Readonly<Record<string, string | null>>;

/** Null where nothing is kept, or nothing that is true by now. */
export function readKept({ file, key }: KeptFile): unknown {
  const saved = readJsonObject(file);
  if (saved === null || saved.key !== key) return null;
  const { stamps, value } = saved;
  if (typeof stamps !== "object" || stamps === null) return null;
  const isTrue = Object.entries(stamps).every(([path, stamp]) => fingerprint(path) === stamp);
  return isTrue ? (value ?? null) : null;
}

export function writeKept({ file, key }: KeptFile, stamps: Stamps, value: unknown): void {
  replaceCache(file, JSON.stringify({ key, stamps, value }));
}

/** A JSON object of our own, null where there is none that can be read. */
export function readJsonObject(file: string): JsonRecord | null {
  try {
    return parseJsonObject(readFileSync(file, "utf8"));
  } catch (error) {
    if (fileErrorCode(error) !== null) return null;
    throw error;
  }
}
