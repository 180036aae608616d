import { join } from "node:path";
import type { AgentCommand, AgentExecutionContext } from "../adapter.ts";
import { composeCommand } from "../compose-command.ts";
import { copilotCapabilities } from "./capabilities.ts";

const ENVIRONMENT = { COPILOT_AUTO_UPDATE: "false" };

export function buildCopilotCommand(context: AgentExecutionContext): AgentCommand {
  // Its output has no token figures; this file has.
  const reportPath = join(context.logDir, "copilot-usage.json");
  return composeCommand(context, {
    program: "copilot",
    capabilities: copilotCapabilities(context.agentVersion ?? null),
    lead: [
      ...["--output-format", context.config.outputFormat],
      ...["--no-auto-update", "--no-ask-user", "--no-color"],
      ...["--usage-output-file", reportPath],
    ],
    env: ENVIRONMENT,
    reportPath,
  });
}
