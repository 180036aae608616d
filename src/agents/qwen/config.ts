import type { ConfigPlace } from "../adapter.ts";
import { type ConfigCheck, checkAgentConfig } from "../config-check.ts";
import { configSchema } from "../config-fields.ts";
import { qwenCapabilities } from "./capabilities.ts";

const SCHEMA = configSchema();

export const checkQwenConfig = (raw: unknown, place: ConfigPlace): ConfigCheck =>
  checkAgentConfig(
    { agent: "qwen", schema: SCHEMA, capabilities: qwenCapabilities(place.agentVersion) },
    raw,
    place,
  );
