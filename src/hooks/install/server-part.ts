// The entry of our MCP server in an agent's file, in JSON or TOML. Pure: texts in, a text out.
import { isDeepStrictEqual } from "node:util";
import type { ConfigSyntax, JsonObject } from "../../agents/steps/installer.ts";
import {
  isOurServer,
  type McpInstaller,
  SERVER_NAME,
  wordsOfServer,
} from "../../agents/steps/mcp-installer.ts";
import { fault } from "../../core/command/fault.ts";
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
import { addTable, readTables, removeTable } from "./toml-table.ts";

/** How servers are read and written in one syntax. */
interface ServerText {
  /** All servers by name; a file whose servers are none is a fault. */
  read(text: string): JsonObject;
  put(text: string, entry: JsonObject): string;
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
  return isObject(entry) && isOurServer(entry) ? wordsOfServer(entry) : null;
}

const isOurs = (entry: unknown): boolean => isObject(entry) && isOurServer(entry);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
    if (value !== undefined && !isObject(value))
      throw brokenAt(config, offsetOf(config, [key]), `\`${key}\` is not an object`);
    return config;
  };
  const serversIn = (config: ConfigText): unknown => {
    const value = readConfigValue(config);
    return isObject(value) ? value[key] : undefined;
  };
  const read = (text: string): JsonObject => {
    const value = serversIn(parse(text));
    return isObject(value) ? value : {};
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
    return isObject(value) ? value : {};
  },
  put: (text, entry) => {
    const mark = `# Written by \`adj install ${agent} --mcp\`.`;
    return addTable({ file, text }, [key, SERVER_NAME], { entry, mark });
  },
  takeOut: (text) => removeTable({ file, text }, [key, SERVER_NAME]),
  isBare: (text) => text.trim() === "",
});
