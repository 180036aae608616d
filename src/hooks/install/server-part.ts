// The entry of our MCP server in an agent's file, in JSON or TOML. Pure: texts in, a text out.

import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import {
  type ConfigSyntax,
  isOurServer,
  type McpInstaller,
  SERVER_NAME,
  wordsOfServer,
} from "../../agents/steps/installer.ts";
import { fault } from "../../core/command/fault.ts";
import { asRecord, isRecord, type JsonRecord } from "../../core/project/json-value.ts";
import {
  brokenAt,
  type ConfigText,
  changeText,
  offsetOf,
  parseConfig,
  readConfigValue,
} from "./config-text.ts";
import { isBareJson } from "./decide.ts";
import type { FilePart, WantedPart } from "./file-part.ts";

/** How servers are read and written in one syntax. */
interface ServerText {
  /** All servers by name; a file whose servers are none is a fault. */
  read(text: string): JsonRecord;
  put(text: string, entry: JsonRecord): string;
  takeOut(text: string, before: string | null): string;
  isBare(text: string): boolean;
}

const textOf = (file: string, { syntax, key, agent }: McpInstaller): ServerText =>
  syntax === "toml" ? tomlText(file, key, agent) : jsonText(file, key, syntax);

export function wantedServer(
  file: string,
  installer: McpInstaller,
  words: readonly [string, ...string[]],
): WantedPart {
  const entry = installer.makeEntry(words);
  const servers = textOf(file, installer);
  return {
    ...serverPart(file, installer),
    isDone: (text) => {
      const found = servers.read(text)[SERVER_NAME];
      if (found !== undefined && !isOurs(found)) throw somebodyElses(file);
      return isDeepStrictEqual(found, entry);
    },
    putIn: (text) => servers.put(text, entry),
  };
}

export function serverPart(file: string, installer: McpInstaller): FilePart {
  const servers = textOf(file, installer);
  // A text without its name need not be read: whoever else has a part in the file judges its form.
  const has = (text: string): boolean =>
    text.includes(SERVER_NAME) && isOurs(servers.read(text)[SERVER_NAME]);
  return {
    ownsFile: false,
    has,
    takeOut: (text, before) => (has(text) ? servers.takeOut(text, before) : text),
    isBare: servers.isBare,
  };
}

/** The words by which the agent starts our server, null where it does not. */
export function findServerWords(
  file: string,
  installer: McpInstaller,
  text: string,
): readonly string[] | null {
  const entry = textOf(file, installer).read(text)[SERVER_NAME];
  return isRecord(entry) && isOurServer(entry) ? wordsOfServer(entry) : null;
}

const isOurs = (entry: unknown): boolean => isRecord(entry) && isOurServer(entry);

const somebodyElses = (file: string) =>
  fault(
    "FileInvalid",
    { problem: `its server \`${SERVER_NAME}\` is not ours` },
    { where: { file }, hint: "give that one another name; it was left as it is" },
  );

function jsonText(file: string, key: string, syntax: ConfigSyntax): ServerText {
  const parse = (text: string): ConfigText => {
    const config = parseConfig(file, text, { syntax }, key);
    const value = serversIn(config);
    if (value !== undefined && !isRecord(value))
      throw brokenAt(config, offsetOf(config, [key]), `\`${key}\` is not an object`);
    return config;
  };
  const serversIn = (config: ConfigText): unknown => {
    const value = readConfigValue(config);
    return isRecord(value) ? value[key] : undefined;
  };
  const read = (text: string): JsonRecord => {
    const value = serversIn(parse(text));
    return isRecord(value) ? value : {};
  };
  return {
    read,
    put: (text, value) => changeText(parse(text).text, [{ path: [key, SERVER_NAME], value }]),
    takeOut: (text, before) => {
      const rest = changeText(text, [{ path: [key, SERVER_NAME], value: undefined }]);
      const had = before !== null && serversIn(parse(before)) !== undefined;
      const isEmpty = Object.keys(read(rest)).length === 0;
      return had || !isEmpty ? rest : changeText(rest, [{ path: [key], value: undefined }]);
    },
    isBare: (text) => isBareJson(parse(text), {}),
  };
}

const tomlText = (file: string, key: string, agent: string): ServerText => ({
  read: (text) => {
    const value = readTables(file, text)[key];
    return isRecord(value) ? value : {};
  },
  put: (text, entry) => {
    const mark = `# Written by \`adj install ${agent} --mcp\`.`;
    return addTable({ file, text }, [key, SERVER_NAME], { entry, mark });
  },
  takeOut: (text) => removeTable({ file, text }, [key, SERVER_NAME]),
  isBare: (text) => text.trim() === "",
});

// One table in a TOML file, put at its end or taken out, with every other byte as it was. What cannot be done so is refused:
// both texts are parsed, and they may differ in that table alone.

interface TomlText {
  readonly file: string;
  readonly text: string;
}

type TablePath = readonly [parent: string, name: string];

function readTables(file: string, text: string): JsonRecord {
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
const plain = (value: unknown): JsonRecord =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one)));

/** Keeps the file's line ends. */
function addTable(
  { file, text }: TomlText,
  [parent, name]: TablePath,
  { entry, mark }: { readonly entry: JsonRecord; readonly mark: string },
): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : `${eol}${eol}`;
  const body = `${mark}\n[${parent}.${name}]\n${stringify(entry).trimEnd()}\n`;
  const written = `${text}${gap}${body.replaceAll("\n", eol)}`;
  const before = readTables(file, text);
  const wanted = { ...before, [parent]: { ...asRecord(before[parent]), [name]: entry } };
  if (!isDeepStrictEqual(tryRead(written), wanted)) throw unwritable(file, parent);
  return written;
}

/** With what stands below it: the agent keeps its own notes of a server there. */
function removeTable({ file, text }: TomlText, [parent, name]: TablePath): string {
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
  const { [name]: _gone, ...others } = asRecord(before[parent]);
  const { [parent]: _old, ...top } = before;
  const wanted = Object.keys(others).length === 0 ? top : { ...top, [parent]: others };
  const read = tryRead(rest);
  // A table that only held ours may stay as an empty one.
  if (!isDeepStrictEqual(read, wanted) && !isDeepStrictEqual(read, { ...top, [parent]: others }))
    throw unwritable(file, parent);
  return rest;
}

function tryRead(text: string): JsonRecord | null {
  try {
    return plain(parse(text));
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

const unwritable = (file: string, parent: string) =>
  fault(
    "FileInvalid",
    { problem: `its \`${parent}\` is written so that a table cannot be put in or taken out` },
    { where: { file }, hint: "change the entry by hand; the file was left as it is" },
  );
