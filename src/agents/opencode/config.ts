import * as z from "zod/mini";
import type { ConfigPlace } from "../adapter.ts";
import { type ConfigCheck, checkAgentConfig } from "../config-check.ts";
import { configSchema, patternText } from "../config-fields.ts";
import { opencodeCapabilities } from "./capabilities.ts";

const SCHEMA = configSchema({
  model: z.optional(
    patternText(
      /^[^\s/-][^\s/]*\/\S+$/,
      "must be a provider and a model, as in `anthropic/claude-opus-5-5`",
    ),
  ),
});

export function checkOpencodeConfig(raw: unknown, place: ConfigPlace): ConfigCheck {
  const rules = {
    agent: "opencode",
    schema: SCHEMA,
    capabilities: opencodeCapabilities(place.agentVersion),
  };
  const check = checkAgentConfig(rules, raw, place);
  if (check.kind === "invalid") return check;
  const { agent_name, permission_mode } = check.config.settings;
  if (agent_name === undefined || permission_mode !== "plan") return check;
  const message = "`plan` is an agent of its own here and cannot go with `agent_name`";
  return { kind: "invalid", problems: [{ path: "permission_mode", message }] };
}
