// What a file was before Adjutant came, kept in the state folder so that `uninstall` can give it back.

import { rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { readText, replaceFile } from "../../core/project/files.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { parseJson } from "../../core/project/json-value.ts";

export interface InstallRecord {
  readonly agent: string;
  readonly file: string;
  /** Null where there was no file. */
  readonly original: string | null;
  /** Hashes of what was written over that original, the last one last. */
  readonly written: readonly string[];
  /** Folders that were made for it. */
  readonly folders: readonly string[];
}

const SCHEMA = z.object({
  agent: z.string(),
  file: z.string(),
  original: z.nullable(z.string()),
  written: z.array(z.string()),
  folders: z.array(z.string()),
});

const recordFile = (stateDir: string, file: string): string =>
  join(stateDir, "installed", `${sha256(file).slice(0, 32)}.json`);

/** Null where there is none, or none that can be read: then entries are taken out one by one. */
export function readInstallRecord(stateDir: string, file: string): InstallRecord | null {
  const text = readText(recordFile(stateDir, file));
  if (text === null) return null;
  const parsed = SCHEMA.safeParse(parseJson(text));
  return parsed.success && parsed.data.file === file ? parsed.data : null;
}

export const writeInstallRecord = (stateDir: string, record: InstallRecord): void =>
  replaceFile(recordFile(stateDir, record.file), JSON.stringify(record));

export const dropInstallRecord = (stateDir: string, file: string): void =>
  rmSync(recordFile(stateDir, file), { force: true });

/** Nobody but us has changed the file since it was first installed. */
export const isUntouched = (record: InstallRecord | null, text: string): boolean =>
  record?.written.includes(sha256(text)) ?? false;
