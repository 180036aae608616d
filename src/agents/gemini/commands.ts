// Gemini CLI's commands in TOML, as 0.61 reads them.
import { join } from "node:path";
import { foldersBelow, type NativeFormat } from "../native/format.ts";
import { printBraces, readBraces } from "../native/markdown-text.ts";
import { printToml, readToml } from "../native/toml-text.ts";
import type { InstallContext, InstallScope } from "../steps/installer.ts";

const homeOf = (scope: InstallScope, { env, home, root }: InstallContext): string =>
  join(scope === "project" ? root : env.GEMINI_CLI_HOME || home, ".gemini");

export const geminiFormat: NativeFormat = {
  agent: "gemini",
  takes: "line",
  keys: new Map([["description", "description"]]),
  ownKeys: new Map(),
  personOnly: {},
  markLine: 0,
  ...foldersBelow(homeOf),
  fileOf: (name) => `${name}.toml`,
  sourcesOf: (scope, target) => [
    {
      folder: join(homeOf(scope, target), "commands"),
      layout: "files",
      ending: ".toml",
      read: readToml,
    },
  ],
  print: printToml,
  printBody: printBraces,
  readBody: readBraces,
};
