import type { ConfigPlace } from "../adapter.ts";
import { type ConfigCheck, checkAgentConfig } from "../config-check.ts";
import { configSchema } from "../config-fields.ts";
import { geminiCapabilities } from "./capabilities.ts";

const SCHEMA = configSchema();

export const checkGeminiConfig = (raw: unknown, place: ConfigPlace): ConfigCheck =>
  checkAgentConfig(
    { agent: "gemini", schema: SCHEMA, capabilities: geminiCapabilities(place.agentVersion) },
    raw,
    place,
  );
