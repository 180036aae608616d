import type { AgentAdapter } from "../adapter.ts";
import { buildCodexCommand } from "./build-command.ts";
import { codexCapabilities } from "./capabilities.ts";
import { checkCodexConfig } from "./config.ts";
import { createCodexDialect } from "./parse.ts";

export const codex: AgentAdapter = {
  name: "codex",
  version: "1.0.0",
  codePrefix: "CODEX",
  program: "codex",
  versionArgs: ["--version"],
  installHint: "npm install -g @openai/codex",
  provider: "openai",
  login: {
    variables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    files: ["$CODEX_HOME|.codex/auth.json"],
    // The configuration may name a provider of its own and the variable with its key.
    hidingPlaces: ["$CODEX_HOME|.codex/config.toml"],
    isOptional: false,
  },
  variablePrefixes: ["CODEX_", "OPENAI_", "AZURE_OPENAI_"],
  capabilities: codexCapabilities,
  checkConfig: checkCodexConfig,
  buildCommand: buildCodexCommand,
  createDialect: createCodexDialect,
};
