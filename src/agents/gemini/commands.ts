// Gemini CLI's commands in TOML, as 0.61 reads them.
import { join } from "node:path";
import type { NativeFormat } from "../native/format.ts";
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
  folderOf: (scope, place) => join(homeOf(scope, place), "commands"),
  fileOf: (name) => `${name}.toml`,
  skillsOf: (scope, place) => join(homeOf(scope, place), "skills"),
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
