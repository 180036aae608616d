import type { AgentAdapter } from "../adapter.ts";
import { buildOpencodeCommand } from "./build-command.ts";
import { opencodeCapabilities } from "./capabilities.ts";
import { checkOpencodeConfig } from "./config.ts";
import { OpencodeDialect } from "./parse.ts";

export const opencode: AgentAdapter = {
  name: "opencode",
  version: "1.0.0",
  codePrefix: "OPENCODE",
  program: "opencode",
  versionArgs: ["--version"],
  installHint: "npm install -g opencode-ai",
  // It serves any provider: the model's name says which.
  provider: null,
  login: {
    variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
    files: ["$XDG_DATA_HOME|.local/share/opencode/auth.json"],
    hidingPlaces: [],
    // It has models that need no key.
    isOptional: true,
  },
  variablePrefixes: [
    "OPENCODE_",
    // It fetches its plugin package by npm.
    "npm_config_",
    "ANTHROPIC_",
    "OPENAI_",
    "GEMINI_",
    "GOOGLE_",
    "OPENROUTER_",
    "AWS_",
    "AZURE_",
    "GITHUB_TOKEN",
    "GROQ_",
    "MISTRAL_",
    "DEEPSEEK_",
    "XAI_",
  ],
  capabilities: opencodeCapabilities,
  checkConfig: checkOpencodeConfig,
  buildCommand: buildOpencodeCommand,
  createDialect: () => new OpencodeDialect(),
};
