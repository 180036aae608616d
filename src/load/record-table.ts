// Many records as columns: as JSON they are a few lists of strings, which are read in half the time
// that as many objects take, and nothing is made of them before it is asked for.
import type { Stats } from "node:fs";
import { fingerprintOf } from "../config/fingerprint.ts";
import { aliasesOf, type PackedRecord, PLAIN } from "./packed-record.ts";

export interface RecordTable {
  readonly names: readonly string[];
  readonly heads: readonly string[];
  readonly texts: readonly string[];
  /** The places of all but plain commands without an alias; a loop over these few is enough. */
  readonly special: readonly number[];
}

/** Records of files that define one command each; the file's name is the command's and the extension. */
export interface FileTable extends RecordTable {
  readonly extensions: readonly string[];
  /** Inode, both times and size of each file, for a comparison that makes no text of them. */
  readonly stamps: Float64Array;
}

export type Stamp = Pick<Stats, "ino" | "mtimeMs" | "ctimeMs" | "size">;

export interface IndexedFile {
  /** In the folder of commands. */
  readonly fileName: string;
  readonly stamp: Stamp;
  readonly record: PackedRecord;
}

const STAMP = 4;

export const recordAt = ({ names, heads, texts }: RecordTable, at: number): PackedRecord => ({
  name: names[at] ?? "",
  head: heads[at] ?? "",
  text: texts[at] ?? "",
});

export const tableOf = (records: readonly PackedRecord[]): RecordTable => ({
  names: records.map(({ name }) => name),
  heads: records.map(({ head }) => head),
  texts: records.map(({ text }) => text),
  special: records.flatMap(({ head }, at) => (head === PLAIN ? [] : [at])),
});

export const EMPTY_TABLE: RecordTable = { names: [], heads: [], texts: [], special: [] };

/** The places of what answers to a name, by its own or by an alias. */
export function placesOf({ names, heads, special }: RecordTable, name: string): number[] {
  const places = new Set<number>();
  for (let at = names.indexOf(name); at >= 0; at = names.indexOf(name, at + 1)) places.add(at);
  for (const at of special) if (aliasesOf(heads[at] ?? "").includes(name)) places.add(at);
  return [...places].sort((a, b) => a - b);
}

export const fileTableOf = (files: readonly IndexedFile[]): FileTable => ({
  ...tableOf(files.map(({ record }) => record)),
  extensions: files.map(({ fileName, record }) => fileName.slice(record.name.length)),
  stamps: Float64Array.from(
    files.flatMap(({ stamp: { ino, mtimeMs, ctimeMs, size } }) => [ino, mtimeMs, ctimeMs, size]),
  ),
});

export const fileNameAt = ({ names, extensions }: FileTable, at: number): string =>
  `${names[at]}${extensions[at]}`;

export function isStampAt({ stamps }: FileTable, at: number, stamp: Stamp): boolean {
  const start = at * STAMP;
  return (
    stamps[start] === stamp.ino &&
    stamps[start + 1] === stamp.mtimeMs &&
    stamps[start + 2] === stamp.ctimeMs &&
    stamps[start + 3] === stamp.size
  );
}

export function fileAt(table: FileTable, at: number): IndexedFile {
  const [ino = 0, mtimeMs = 0, ctimeMs = 0, size = 0] = table.stamps.subarray(at * STAMP);
  const stamp = { ino, mtimeMs, ctimeMs, size };
  return { fileName: fileNameAt(table, at), stamp, record: recordAt(table, at) };
}

export const listFiles = (table: FileTable): IndexedFile[] =>
  table.names.map((_, at) => fileAt(table, at));

export const isSameStamp = (one: Stamp, other: Stamp): boolean =>
  fingerprintOf(one) === fingerprintOf(other);

/** Numbers as text without a digit lost, and without reading digits. */
export const encodeStamps = (stamps: Float64Array): string =>
  Buffer.from(stamps.buffer, stamps.byteOffset, stamps.byteLength).toString("base64");

export const decodeStamps = (text: string): Float64Array =>
  new Float64Array(Uint8Array.from(Buffer.from(text, "base64")).buffer);
