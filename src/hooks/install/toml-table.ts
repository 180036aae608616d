// One table in a TOML file, put at its end or taken out, with every other byte as it was. What cannot be done so is refused:
// both texts are parsed, and they may differ in that table alone.
import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import type { JsonObject } from "../../agents/steps/installer.ts";
import { fault } from "../../core/command/fault.ts";

interface TomlText {
  readonly file: string;
  readonly text: string;
}

type TablePath = readonly [parent: string, name: string];

export function readTables(file: string, text: string): JsonObject {
  try {
    return plain(parse(text));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = `it is not TOML: ${error.message.split("\n")[0] ?? ""}`;
    const { line, column } = error;
    const where = { file, line, column };
    throw fault(
      "FileInvalid",
      { problem },
      { where, cause: error, hint: "mend it first; it was left as it is" },
    );
  }
}

/** Dates and large numbers become texts, so that two readings can be compared. */
const plain = (value: unknown): JsonObject =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one)));

/** Keeps the file's line ends. */
export function addTable(
  { file, text }: TomlText,
  [parent, name]: TablePath,
  { entry, mark }: { readonly entry: JsonObject; readonly mark: string },
): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : `${eol}${eol}`;
  const body = `${mark}\n[${parent}.${name}]\n${stringify(entry).trimEnd()}\n`;
  const written = `${text}${gap}${body.replaceAll("\n", eol)}`;
  const before = readTables(file, text);
  const wanted = { ...before, [parent]: { ...asObject(before[parent]), [name]: entry } };
  if (!isDeepStrictEqual(tryRead(written), wanted)) throw unwritable(file, parent);
  return written;
}

/** With what stands below it: the agent keeps its own notes of a server there. */
export function removeTable({ file, text }: TomlText, [parent, name]: TablePath): string {
  const lines = text.split(/(?<=\n)/);
  const isHeader = (line: string): boolean => /^\s*\[/.test(line);
  const own = new RegExp(`^\\s*\\[+\\s*["']?${parent}["']?\\s*\\.\\s*["']?${name}["']?\\s*[.\\]]`);
  const kept: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (!own.test(line)) {
      kept.push(line);
      at += 1;
      continue;
    }
    if (/^# Written by `adj install /.test(kept.at(-1) ?? "")) kept.pop();
    if ((kept.at(-1) ?? "x").trim() === "") kept.pop();
    let end = at + 1;
    while (end < lines.length && !isHeader(lines[end] ?? "")) end += 1;
    // Blank lines and notes before the next table belong to that one.
    while (end > at + 1 && /^\s*(?:#.*)?\s*$/.test(lines[end - 1] ?? "")) end -= 1;
    at = end;
  }
  const rest = kept.join("");
  const before = readTables(file, text);
  const { [name]: _gone, ...others } = asObject(before[parent]);
  const { [parent]: _old, ...top } = before;
  const wanted = Object.keys(others).length === 0 ? top : { ...top, [parent]: others };
  const read = tryRead(rest);
  // A table that only held ours may stay as an empty one.
  if (!isDeepStrictEqual(read, wanted) && !isDeepStrictEqual(read, { ...top, [parent]: others }))
    throw unwritable(file, parent);
  return rest;
}

function tryRead(text: string): JsonObject | null {
  try {
    return plain(parse(text));
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

const asObject = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

const unwritable = (file: string, parent: string) =>
  fault(
    "FileInvalid",
    { problem: `its \`${parent}\` is written so that a table cannot be put in or taken out` },
    { where: { file }, hint: "change the entry by hand; the file was left as it is" },
  );
