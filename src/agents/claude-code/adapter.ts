import type { AgentAdapter } from "../adapter.ts";
import { buildClaudeCodeCommand } from "./build-command.ts";
import { claudeCodeCapabilities } from "./capabilities.ts";
import { checkClaudeCodeConfig } from "./config.ts";
import { createClaudeCodeDialect } from "./parse.ts";

export const claudeCode: AgentAdapter = {
  name: "claude-code",
  version: "1.0.0",
  codePrefix: "CLAUDE",
  program: "claude",
  versionArgs: ["--version"],
  installHint: "npm install -g @anthropic-ai/claude-code",
  provider: "anthropic",
  login: {
    variables: [
      ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
      ...["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"],
    ],
    files: ["$CLAUDE_CONFIG_DIR|.claude/.credentials.json"],
    // Settings may name a helper program or carry a key in `env`.
    hidingPlaces: [
      "$CLAUDE_CONFIG_DIR|.claude/settings.json",
      "/etc/claude-code/managed-settings.json",
    ],
    isOptional: false,
  },
  variablePrefixes: [
    "ANTHROPIC_",
    "CLAUDE_",
    "AWS_",
    "GOOGLE_",
    "VERTEX_",
    "CLOUD_ML_",
    "DISABLE_",
    "API_TIMEOUT_",
    "BASH_",
    "MCP_",
    "IS_SANDBOX",
  ],
  capabilities: claudeCodeCapabilities,
  checkConfig: checkClaudeCodeConfig,
  buildCommand: buildClaudeCodeCommand,
  createDialect: createClaudeCodeDialect,
};
