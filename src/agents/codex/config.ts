import type { ConfigPlace } from "../adapter.ts";
import { type ConfigCheck, checkAgentConfig } from "../config-check.ts";
import { configSchema } from "../config-fields.ts";
import { codexCapabilities } from "./capabilities.ts";

const SCHEMA = configSchema();

export const checkCodexConfig = (raw: unknown, place: ConfigPlace): ConfigCheck =>
  checkAgentConfig(
    { agent: "codex", schema: SCHEMA, capabilities: codexCapabilities(place.agentVersion) },
    raw,
    place,
  );
