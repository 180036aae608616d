import type { AgentCommand, AgentExecutionContext } from "../adapter.ts";
import { composeCommand } from "../compose-command.ts";
import { geminiCapabilities } from "./capabilities.ts";

// It starts itself again as a child and then ignores SIGTERM.
const ENVIRONMENT = { GEMINI_CLI_NO_RELAUNCH: "true" };

export const buildGeminiCommand = (context: AgentExecutionContext): AgentCommand =>
  composeCommand(context, {
    program: "gemini",
    capabilities: geminiCapabilities(context.agentVersion ?? null),
    // Headless it refuses a folder that it was not told to trust, with exit code 55.
    lead: ["--output-format", context.config.outputFormat, "--skip-trust"],
    env: ENVIRONMENT,
  });
