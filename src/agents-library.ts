// What `import … from "adjutant/agents"` offers: the contract of an adapter, and what is done by it.
export type { ErrorReason } from "./agents/log/error-reasons.ts";
export { ERROR_REASONS, formatErrorCode } from "./agents/log/error-reasons.ts";
export type { LogEvent } from "./agents/log/event.ts";
export type { RunLog } from "./agents/log/run-log.ts";
export { RUN_LOG } from "./agents/log/run-log.ts";
export { requireAdapter } from "./agents/roster.ts";
export type {
  AgentAdapter,
  AgentCommand,
  AgentExecutionContext,
  AgentExecutionResult,
  ConfigContext,
} from "./agents/run/adapter.ts";
export type { Availability } from "./agents/run/availability.ts";
export { checkAvailability } from "./agents/run/availability.ts";
export type { AgentCapabilities } from "./agents/run/capabilities.ts";
export type { AgentConfig, ConfigCheck, ConfigProblem } from "./agents/run/config.ts";
export type { ConfigSchema } from "./agents/run/config-fields.ts";
export { configSchema } from "./agents/run/config-fields.ts";
export type { NormalizeOptions } from "./agents/run/output/read.ts";
export { normalizeOutput } from "./agents/run/output/read.ts";
export type { AgentRunRequest } from "./agents/run/prepare-run.ts";
export type { AgentRun, RunAgentOptions } from "./agents/run/run-agent.ts";
export { runAgent } from "./agents/run/run-agent.ts";
