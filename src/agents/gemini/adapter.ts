import type { AgentAdapter } from "../adapter.ts";
import { buildGeminiCommand } from "./build-command.ts";
import { geminiCapabilities } from "./capabilities.ts";
import { checkGeminiConfig } from "./config.ts";
import { GeminiDialect } from "./parse.ts";

export const gemini: AgentAdapter = {
  name: "gemini",
  version: "1.0.0",
  codePrefix: "GEMINI",
  program: "gemini",
  versionArgs: ["--version"],
  installHint: "npm install -g @google/gemini-cli",
  provider: "google",
  login: {
    variables: [
      ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
      ...["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "CLOUD_SHELL"],
    ],
    files: [".gemini/oauth_creds.json"],
    hidingPlaces: [".gemini/settings.json", ".gemini/.env", ".env"],
    isOptional: false,
  },
  variablePrefixes: ["GEMINI_", "GOOGLE_"],
  capabilities: geminiCapabilities,
  checkConfig: checkGeminiConfig,
  buildCommand: buildGeminiCommand,
  createDialect: () => new GeminiDialect(),
};
