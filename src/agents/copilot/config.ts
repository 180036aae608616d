import type { ConfigPlace } from "../adapter.ts";
import { type ConfigCheck, checkAgentConfig } from "../config-check.ts";
import { configSchema } from "../config-fields.ts";
import { copilotCapabilities } from "./capabilities.ts";

const SCHEMA = configSchema();

export const checkCopilotConfig = (raw: unknown, place: ConfigPlace): ConfigCheck =>
  checkAgentConfig(
    { agent: "copilot", schema: SCHEMA, capabilities: copilotCapabilities(place.agentVersion) },
    raw,
    place,
  );
