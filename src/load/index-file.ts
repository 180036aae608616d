// The index of one layer: what its files define, so that a start reads one JSON file and neither
// imports modules nor parses YAML. It can always be made anew.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultReport } from "../command/fault.ts";
import { errorCode } from "../config/file-problem.ts";
import { pathName } from "../config/path-name.ts";
import { replaceCache } from "../config/replace-file.ts";
import type { SettingsFile } from "../config/settings.ts";
import { isMarkdownFile, readMarkdownName } from "../markdown/file-name.ts";
import { decodeStamps, encodeStamps, type FileTable, type RecordTable } from "./record-table.ts";

export interface LayerIndex {
  /** Of the folder of commands when it was read; null where that proves nothing. */
  readonly listing: string | null;
  readonly files: FileTable;
  readonly yaml: {
    readonly fingerprint: string | null;
    readonly records: RecordTable;
    readonly fault: FaultReport | null;
  };
  readonly settings: {
    readonly fingerprint: string | null;
    readonly value: SettingsFile;
    readonly fault: FaultReport | null;
  };
}

// Counts up when what stands in the file changes its meaning.
const FORMAT = 3;

export interface IndexPlace {
  readonly file: string;
  /** An index written under another key says nothing. */
  readonly key: string;
}

export function placeIndex(stateDir: string, folder: string, version: string): IndexPlace {
  return {
    file: join(stateDir, "index", `${pathName(folder)}.json`),
    key: [FORMAT, version, process.version, folder].join(" "),
  };
}

/** Null when there is none, or none that can be used. */
export function readIndex({ file, key }: IndexPlace): LayerIndex | null {
  const text = readIfReadable(file);
  const saved = text === null ? null : parseSaved(text);
  return saved === null || saved.key !== key ? null : fromSaved(saved);
}

export function writeIndex({ file, key }: IndexPlace, index: LayerIndex): void {
  replaceCache(file, JSON.stringify(toSaved(key, index)));
}

const UNREADABLE = new Set(["ENOENT", "ENOTDIR", "EACCES", "EISDIR", "EPERM"]);

function readIfReadable(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (UNREADABLE.has(errorCode(error) ?? "")) return null;
    throw error;
  }
}

/** As it stands in the file. */
interface Saved extends Omit<LayerIndex, "files"> {
  readonly key: string;
  readonly files: Omit<FileTable, "stamps"> & { readonly stamps: string };
}

function parseSaved(text: string): Saved | null {
  try {
    const value: unknown = JSON.parse(text);
    return isSaved(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

// Under our own key the columns hold what we wrote; looking at every value is as slow as reading them.
const isTable = (value: unknown): value is RecordTable =>
  isObject(value) &&
  Array.isArray(value.special) &&
  isColumn(value.names, value.names) &&
  isColumn(value.heads, value.names) &&
  isColumn(value.texts, value.names);

const isColumn = (value: unknown, beside: unknown): boolean =>
  Array.isArray(value) && Array.isArray(beside) && value.length === beside.length;

const isSaved = (value: unknown): value is Saved =>
  isObject(value) &&
  typeof value.key === "string" &&
  isTable(value.files) &&
  "extensions" in value.files &&
  isColumn(value.files.extensions, value.files.names) &&
  "stamps" in value.files &&
  typeof value.files.stamps === "string" &&
  isObject(value.yaml) &&
  isTable(value.yaml.records) &&
  isObject(value.settings) &&
  isObject(value.settings.value);

const toSaved = (key: string, index: LayerIndex): Saved => ({
  ...index,
  key,
  files: { ...index.files, stamps: encodeStamps(index.files.stamps) },
});

const fromSaved = ({ listing, files, yaml, settings }: Saved): LayerIndex => ({
  listing,
  files: { ...files, stamps: decodeStamps(files.stamps) },
  yaml,
  settings,
});

/** The file's name says the command's. */
export const nameOfFile = (fileName: string): string =>
  isMarkdownFile(fileName)
    ? readMarkdownName(fileName).name
    : fileName.slice(0, fileName.lastIndexOf("."));
