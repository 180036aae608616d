import type { AgentCommand, AgentExecutionContext } from "../adapter.ts";
import { composeCommand } from "../compose-command.ts";
import { qwenCapabilities } from "./capabilities.ts";

// It starts itself again as a child, which outlives a signal to the parent.
const ENVIRONMENT = { QWEN_CODE_NO_RELAUNCH: "true", QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" };

export function buildQwenCommand(context: AgentExecutionContext): AgentCommand {
  const format = context.config.outputFormat;
  const streaming = format === "stream-json" ? ["--include-partial-messages"] : [];
  return composeCommand(context, {
    program: "qwen",
    capabilities: qwenCapabilities(context.agentVersion ?? null),
    lead: ["--output-format", format, ...streaming],
    env: ENVIRONMENT,
  });
}
