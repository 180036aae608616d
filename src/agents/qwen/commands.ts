// Qwen Code's commands in Markdown, as 0.24.4 reads them; those in TOML are old and only taken in.
import { join } from "node:path";
import { foldersBelow, type NativeFormat } from "../native/format.ts";
import { printBraces, printMarkdown, readBraces, readMarkdown } from "../native/markdown-text.ts";
import { readToml } from "../native/toml-text.ts";
import { agentHome, type InstallContext, type InstallScope } from "../steps/installer.ts";

const homeOf = (scope: InstallScope, target: InstallContext): string =>
  scope === "project" ? join(target.root, ".qwen") : agentHome(target, "QWEN_HOME", ".qwen");

export const qwenFormat: NativeFormat = {
  agent: "qwen",
  takes: "line",
  keys: new Map([
    ["description", "description"],
    ["argument-hint", "argument-hint"],
  ]),
  ownKeys: new Map(),
  personOnly: { "disable-model-invocation": true },
  markLine: 1,
  ...foldersBelow(homeOf),
  fileOf: (name) => `${name}.md`,
  sourcesOf: (scope, target) => {
    const folder = join(homeOf(scope, target), "commands");
    return [
      { folder, layout: "files", ending: ".md", read: readMarkdown },
      { folder, layout: "files", ending: ".toml", read: readToml },
    ];
  },
  print: printMarkdown,
  printBody: printBraces,
  readBody: readBraces,
};
