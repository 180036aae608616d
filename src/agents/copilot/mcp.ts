import { join } from "node:path";
import { agentHome } from "../steps/installer.ts";
import { type McpInstaller, plainServer } from "../steps/mcp-installer.ts";

export const copilotMcp: McpInstaller = {
  agent: "copilot",
  // A project's file is the one of Claude Code, in its form.
  configFiles: (scope, place) => [
    scope === "project"
      ? join(place.root, ".mcp.json")
      : join(agentHome(place, "COPILOT_HOME", ".copilot"), "mcp-config.json"),
  ],
  syntax: { comments: false, trailingCommas: false, mark: false },
  key: "mcpServers",
  makeEntry: (words) => plainServer(words, { type: "stdio" }),
  nextSteps: (scope) => [
    ...(scope === "project" ? ["trust the folder when `copilot` asks"] : []),
    "with `-p` give `--allow-tool adjutant`: without it only what is read-only runs",
  ],
};
