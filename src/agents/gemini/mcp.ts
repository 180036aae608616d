import { type McpInstaller, plainServer } from "../steps/mcp-installer.ts";
import { geminiInstaller } from "./install.ts";

export const geminiMcp: McpInstaller = {
  agent: "gemini",
  configFiles: (scope, place) => [geminiInstaller.configFile(scope, place)],
  syntax: geminiInstaller.syntax,
  key: "mcpServers",
  makeEntry: (words) => plainServer(words),
  nextSteps: (scope) => [
    ...(scope === "project" ? ["trust the folder when `gemini` asks"] : []),
    "with `-p` it offers no tool of a server unless `trust` of the entry is true or the mode is `yolo`",
  ],
};
