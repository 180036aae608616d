import { type McpInstaller, plainServer } from "../steps/mcp-installer.ts";
import { qwenInstaller } from "./install.ts";

export const qwenMcp: McpInstaller = {
  agent: "qwen",
  configFiles: (scope, place) => [qwenInstaller.configFile(scope, place)],
  syntax: qwenInstaller.syntax,
  key: "mcpServers",
  makeEntry: (words) => plainServer(words),
  nextSteps: (scope) => [
    ...(scope === "project" ? ["trust the folder if `qwen` asks"] : []),
    "with `-p` it refuses the tools of a server unless `trust` of the entry is true or `--allowed-tools` names them",
  ],
};
