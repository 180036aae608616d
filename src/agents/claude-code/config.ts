import * as z from "zod/mini";
import type { ConfigPlace } from "../adapter.ts";
import { type ConfigCheck, checkAgentConfig } from "../config-check.ts";
import { configSchema, patternText } from "../config-fields.ts";
import { claudeCodeCapabilities } from "./capabilities.ts";

const MODEL = /^(opus|sonnet|haiku|claude-[\w.@-]+|[\w.:/-]*anthropic[\w.:/-]+)(\[\w+\])?$/;
const TOOL = /^(?:mcp__[\w-]+(?:__[\w*-]+)?|[A-Za-z][\w-]*(?:\([^\n]+\))?)$/;

const tools = z.optional(
  z.array(patternText(TOOL, "must be a tool such as `Read`, `Bash(git:*)` or `mcp__server__tool`")),
);

const SCHEMA = configSchema({
  model: z.optional(
    patternText(
      MODEL,
      "must be `opus`, `sonnet`, `haiku`, a full id such as `claude-opus-5-5`, or a cloud id",
    ),
  ),
  allowed_tools: tools,
  disallowed_tools: tools,
});

export const checkClaudeCodeConfig = (raw: unknown, place: ConfigPlace): ConfigCheck =>
  checkAgentConfig(
    {
      agent: "claude-code",
      schema: SCHEMA,
      capabilities: claudeCodeCapabilities(place.agentVersion),
      reasons: { temperature: "Claude Code has no control for the temperature" },
    },
    raw,
    place,
  );
