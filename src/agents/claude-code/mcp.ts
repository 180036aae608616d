import { join } from "node:path";
import { type McpInstaller, plainServer } from "../steps/mcp-installer.ts";

export const claudeCodeMcp: McpInstaller = {
  agent: "claude-code",
  // A person's servers stand beside the settings' folder, not in it (2.1.325).
  configFiles: (scope, { env, home, root }) => [
    scope === "project"
      ? join(root, ".mcp.json")
      : join(env.CLAUDE_CONFIG_DIR || home, ".claude.json"),
  ],
  syntax: { comments: false, trailingCommas: false, mark: false },
  key: "mcpServers",
  makeEntry: (words) => plainServer(words, { type: "stdio" }),
  nextSteps: (scope) => [
    ...(scope === "project" ? ["approve the server when `claude` asks"] : []),
    "with `-p` give `--allowedTools mcp__adjutant`: it asks nobody there",
  ],
};
