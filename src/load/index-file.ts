// The index of one layer: what its files define, so that a start reads one JSON file and neither
// imports modules nor parses YAML. It can always be made anew.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultReport } from "../command/fault.ts";
import { errorCode } from "../config/file-problem.ts";
import { pathName } from "../config/path-name.ts";
import { replaceCache } from "../config/replace-file.ts";
import type { SettingsFile } from "../config/settings.ts";
import type { PackedRecord } from "./packed-record.ts";

export interface IndexedFile {
  /** In the folder of commands. */
  readonly fileName: string;
  readonly fingerprint: string;
  readonly record: PackedRecord;
}

export interface LayerIndex {
  /** Of the folder of commands when it was read; null where that proves nothing. */
  readonly listing: string | null;
  readonly files: readonly IndexedFile[];
  readonly yaml: {
    readonly fingerprint: string | null;
    readonly records: readonly PackedRecord[];
    readonly fault: FaultReport | null;
  };
  readonly settings: {
    readonly fingerprint: string | null;
    readonly value: SettingsFile;
    readonly fault: FaultReport | null;
  };
}

// Counts up when what stands in the file changes its meaning.
const FORMAT = 1;

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

/** As it stands in the file: lists of strings, four for each file, three for each record of YAML. */
interface Saved extends Omit<LayerIndex, "files" | "yaml"> {
  readonly key: string;
  readonly files: readonly string[];
  readonly yaml: Omit<LayerIndex["yaml"], "records"> & { readonly records: readonly string[] };
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

const isTextList = (value: unknown, step: number): boolean =>
  Array.isArray(value) &&
  value.length % step === 0 &&
  value.every((text) => typeof text === "string");

const isSaved = (value: unknown): value is Saved =>
  isObject(value) &&
  typeof value.key === "string" &&
  isTextList(value.files, 4) &&
  isObject(value.yaml) &&
  isTextList(value.yaml.records, 3) &&
  isObject(value.settings) &&
  isObject(value.settings.value);

function toSaved(key: string, { listing, files, yaml, settings }: LayerIndex): Saved {
  return {
    key,
    listing,
    settings,
    yaml: { ...yaml, records: yaml.records.flatMap(({ name, head, text }) => [name, head, text]) },
    files: files.flatMap(({ fileName, fingerprint, record }) => [
      fileName,
      fingerprint,
      record.head,
      record.text,
    ]),
  };
}

function fromSaved({ listing, files, yaml, settings }: Saved): LayerIndex {
  const records: PackedRecord[] = [];
  const { records: lines } = yaml;
  for (let at = 0; at < lines.length; at += 3)
    records.push({ name: lines[at] ?? "", head: lines[at + 1] ?? "", text: lines[at + 2] ?? "" });
  const indexed: IndexedFile[] = [];
  for (let at = 0; at < files.length; at += 4) {
    const fileName = files[at] ?? "";
    const record = {
      name: nameOfFile(fileName),
      head: files[at + 2] ?? "",
      text: files[at + 3] ?? "",
    };
    indexed.push({ fileName, fingerprint: files[at + 1] ?? "", record });
  }
  return { listing, settings, yaml: { ...yaml, records }, files: indexed };
}

/** The file's name says the command's. */
export const nameOfFile = (fileName: string): string =>
  fileName.slice(0, fileName.lastIndexOf("."));
