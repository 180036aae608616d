import type { AgentAdapter } from "../adapter.ts";
import { buildCopilotCommand } from "./build-command.ts";
import { copilotCapabilities } from "./capabilities.ts";
import { checkCopilotConfig } from "./config.ts";
import { CopilotDialect } from "./parse.ts";

export const copilot: AgentAdapter = {
  name: "copilot",
  version: "1.0.0",
  codePrefix: "COPILOT",
  program: "copilot",
  versionArgs: ["--version"],
  installHint: "npm install -g @github/copilot",
  provider: "github",
  login: {
    variables: [
      ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
      ...["COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BASE_URL"],
    ],
    files: [],
    hidingPlaces: [],
    // Its login lies in the system's keychain or with the `gh` program.
    isOptional: true,
  },
  variablePrefixes: ["COPILOT_", "GH_", "GITHUB_"],
  capabilities: copilotCapabilities,
  checkConfig: checkCopilotConfig,
  buildCommand: buildCopilotCommand,
  createDialect: () => new CopilotDialect(),
};
