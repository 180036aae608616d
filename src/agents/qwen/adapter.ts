import type { AgentAdapter } from "../adapter.ts";
import { buildQwenCommand } from "./build-command.ts";
import { qwenCapabilities } from "./capabilities.ts";
import { checkQwenConfig } from "./config.ts";
import { QwenDialect } from "./parse.ts";

export const qwen: AgentAdapter = {
  name: "qwen",
  version: "1.0.0",
  codePrefix: "QWEN",
  program: "qwen",
  versionArgs: ["--version"],
  installHint: "npm install -g @qwen-code/qwen-code",
  provider: "qwen",
  login: {
    variables: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"],
    files: [".qwen/oauth_creds.json"],
    hidingPlaces: [".qwen/settings.json", ".qwen/.env", ".env"],
    isOptional: false,
  },
  variablePrefixes: ["QWEN_", "OPENAI_", "DASHSCOPE_", "BAILIAN_"],
  capabilities: qwenCapabilities,
  checkConfig: checkQwenConfig,
  buildCommand: buildQwenCommand,
  createDialect: () => new QwenDialect(),
};
