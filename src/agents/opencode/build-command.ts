import type { AgentCommand, AgentExecutionContext } from "../adapter.ts";
import { composeCommand } from "../compose-command.ts";
import { opencodeCapabilities } from "./capabilities.ts";

const ENVIRONMENT = { OPENCODE_DISABLE_AUTOUPDATE: "1" };

export const buildOpencodeCommand = (context: AgentExecutionContext): AgentCommand =>
  composeCommand(context, {
    program: "opencode",
    capabilities: opencodeCapabilities(context.agentVersion ?? null),
    lead: ["run", "--format", context.config.outputFormat],
    env: ENVIRONMENT,
  });
