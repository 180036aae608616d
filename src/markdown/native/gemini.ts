// Gemini CLI's commands in TOML, as 0.61 reads them.
import { join } from "node:path";
import { parse, stringify, TomlError } from "smol-toml";
import { fault } from "../../command/fault.ts";
import type { InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import { printBraces, readBraces } from "./braces.ts";
import type { NativeFormat, NativeText } from "./native-format.ts";

const homeOf = (scope: InstallScope, { env, home, root }: InstallPlace): string =>
  join(scope === "project" ? root : env.GEMINI_CLI_HOME || home, ".gemini");

export const geminiFormat: NativeFormat = {
  agent: "gemini",
  takes: "line",
  keys: new Map([["description", "description"]]),
  ownKeys: new Map(),
  personOnly: {},
  markLine: 0,
  folderOf: (scope, place) => join(homeOf(scope, place), "commands"),
  fileOf: (name) => `${name}.toml`,
  signsOf: (scope, place) => [homeOf(scope, place)],
  sourcesOf: (scope, place) => [
    {
      folder: join(homeOf(scope, place), "commands"),
      layout: "files",
      ending: ".toml",
      read: readToml,
    },
  ],
  print: printToml,
  printBody: printBraces,
  readBody: readBraces,
};

// Within three quotes everything stands for itself, but for what ends them and for control characters.
const UNQUOTABLE = /'''|'$|[^\P{Cc}\t\n]/u;

function printToml({ fields, body }: NativeText): string {
  const head = stringify(fields).trimEnd();
  const prompt = UNQUOTABLE.test(body) ? stringify({ prompt: body }) : `prompt = '''\n${body}'''\n`;
  return `${head}\n${prompt}`;
}

export function readToml(text: string, file: string): NativeText {
  const { prompt, ...fields } = parseToml(text, file);
  if (typeof prompt !== "string")
    throw fault("FileInvalid", { problem: "it has no `prompt`" }, { where: { file } });
  return { fields, body: prompt };
}

function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = `not TOML: ${error.message.split("\n")[0] ?? ""}`;
    const { line, column } = error;
    throw fault("FileInvalid", { problem }, { where: { file, line, column }, cause: error });
  }
}
