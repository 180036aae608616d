import * as z from "zod/mini";
import { configIn, seconds } from "../../install/agent-home.ts";
import { commandHandler, groupOf, positive } from "../../install/entry-schema.ts";
import type { EntryInstaller, EntryWish, JsonObject } from "../../install/installer.ts";
import type { StepEvent } from "../hook-agent.ts";
import { CLAUDE_EVENTS } from "./abilities.ts";

// An `http` entry at SessionStart never fires, and at these `onFailure` counts for nothing (2.1.325).
const NO_HTTP: ReadonlySet<string> = new Set(["SessionStart", "Stop", "SubagentStop"]);

const failure = z.optional(z.enum(["continue", "block"]));
const handler = z.union([
  z.extend(commandHandler, {
    onFailure: failure,
    shell: z.optional(z.enum(["bash", "powershell"])),
    args: z.optional(z.array(z.string())),
  }),
  z.looseObject({
    type: z.literal("http"),
    url: z.string(),
    timeout: z.optional(positive),
    onFailure: failure,
  }),
  z.looseObject({ type: z.literal("mcp_tool"), server: z.string(), tool: z.string() }),
  z.looseObject({ type: z.enum(["prompt", "agent"]), prompt: z.string() }),
]);

/** Elsewhere a bad entry is dropped alone; at these two it voids the file (2.1.325). */
const voiding = z.optional(z.array(groupOf(handler)));

export const claudeCodeInstaller: EntryInstaller = {
  kind: "entries",
  agent: "claude-code",
  events: CLAUDE_EVENTS,
  syntax: { comments: false, trailingCommas: false, mark: true },
  seed: {},
  ownsFile: false,
  canHttp: true,
  configFile: configIn(".claude", "CLAUDE_CONFIG_DIR", "settings.json"),
  makeEntry: (event, wish) => ({ hooks: [makeHandler(event, wish)] }),
  schema: z.looseObject({
    hooks: z.optional(z.looseObject({ PreToolUse: voiding, PermissionRequest: voiding })),
  }),
  nextSteps: (scope) =>
    scope === "project" ? ["trust the folder when `claude` asks; until then it runs no hooks"] : [],
};

function makeHandler({ event, step }: StepEvent, wish: EntryWish): JsonObject {
  const timeout = seconds(wish.limitMs);
  if (wish.http !== null && !NO_HTTP.has(event)) {
    const { url, headers, variables } = wish.http;
    return {
      type: "http",
      url,
      headers,
      allowedEnvVars: variables,
      timeout,
      onFailure: "block",
    };
  }
  const entry = { type: "command", command: wish.command, timeout };
  return wish.guarded.has(step) ? { ...entry, onFailure: "block" } : entry;
}
