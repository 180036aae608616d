import type { AgentCommand, AgentExecutionContext } from "../adapter.ts";
import { composeCommand } from "../compose-command.ts";
import { claudeCodeCapabilities } from "./capabilities.ts";

const ENVIRONMENT = {
  // By itself it tries ten times, also after a refused key, for about three minutes.
  CLAUDE_CODE_MAX_RETRIES: "2",
  DISABLE_AUTOUPDATER: "1",
};

export function buildClaudeCodeCommand(context: AgentExecutionContext): AgentCommand {
  const format = context.config.outputFormat;
  // Without partial messages a run that is cut leaves nothing of its last answer.
  const streaming = format === "stream-json" ? ["--verbose", "--include-partial-messages"] : [];
  return composeCommand(context, {
    program: "claude",
    capabilities: claudeCodeCapabilities(context.agentVersion ?? null),
    lead: ["-p", "--output-format", format, ...streaming],
    env: ENVIRONMENT,
  });
}
