import { join } from "node:path";
import * as z from "zod/mini";
import type { JsonRecord } from "../../core/project/json-value.ts";
import { commandHandler, groupOf, positive } from "../steps/entry-schema.ts";
import type { StepEvent } from "../steps/hook-agent.ts";
import {
  configIn,
  type EntryInstaller,
  type EntryRequest,
  type McpInstaller,
  plainServer,
  systemFile,
  wholeSeconds,
} from "../steps/installer.ts";
import { snakeSample } from "../steps/sample-step.ts";
import { CLAUDE_ABILITIES, CLAUDE_EVENTS } from "./hooks.ts";

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
  abilities: CLAUDE_ABILITIES,
  events: CLAUDE_EVENTS,
  syntax: { comments: false, trailingCommas: false, mark: true },
  seed: {},
  ownsFile: false,
  canHttp: true,
  execSince: "2.1.139",
  configFile: configIn(".claude", "CLAUDE_CONFIG_DIR", "settings.json"),
  // A repository's `disableAllHooks` does not reach it (2.1.325).
  managed: { file: (target) => systemFile(target, "/etc/claude-code/managed-settings.json") },
  makeEntry: (event, request) => ({ hooks: [makeHandler(event, request)] }),
  schema: z.looseObject({
    hooks: z.optional(z.looseObject({ PreToolUse: voiding, PermissionRequest: voiding })),
  }),
  writeSample: snakeSample({
    ownFields: () => ({ permission_mode: "default" }),
    toolResponse: (output) => ({ stdout: output, stderr: "", interrupted: false }),
  }),
  blocksWithoutProgram: false,
  protocol: "claude-code",
  besideOthers: "if it rewrites too, whoever ends last wins, and our rules do not see what it made",
  isFailClosed: ({ onFailure }) => onFailure === "block",
  nextSteps: (scope) =>
    scope === "project" ? ["trust the folder when `claude` asks; until then it runs no hooks"] : [],
};

function makeHandler({ event, step }: StepEvent, request: EntryRequest): JsonRecord {
  const timeout = wholeSeconds(request.limitMs);
  if (request.http !== null && !NO_HTTP.has(event)) {
    const { url, headers, variables } = request.http;
    return {
      type: "http",
      url,
      headers,
      allowedEnvVars: variables,
      timeout,
      onFailure: "block",
    };
  }
  const [program, ...args] = request.exec ?? [];
  const call = program === undefined ? { command: request.command } : { command: program, args };
  const entry = { type: "command", ...call, timeout };
  return request.guarded.has(step) ? { ...entry, onFailure: "block" } : entry;
}

export const claudeCodeMcp: McpInstaller = {
  agent: "claude-code",
  // A person's servers stand beside the settings' folder, not in it (2.1.325).
  configFiles: (scope, { env, home, root }) => [
    scope === "project"
      ? join(root, ".mcp.json")
      : join(env.CLAUDE_CONFIG_DIR || home, ".claude.json"),
  ],
  syntax: { comments: false, trailingCommas: false, mark: false },
  key: "mcpServers",
  makeEntry: (words) => plainServer(words, { type: "stdio" }),
  nextSteps: (scope) => [
    ...(scope === "project" ? ["approve the server when `claude` asks"] : []),
    "with `-p` give `--allowedTools mcp__adjutant`: it asks nobody there",
  ],
};
