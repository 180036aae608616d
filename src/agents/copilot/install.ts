import { existsSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import * as z from "zod/mini";
import type { NativePayload } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { positive } from "../steps/entry-schema.ts";
import {
  agentHome,
  type EntryInstaller,
  type McpInstaller,
  plainServer,
  systemFile,
  wholeSeconds,
} from "../steps/installer.ts";
import { type SampleStep, sampleFields } from "../steps/sample-step.ts";
import { readSettingsFile } from "../steps/settings-layers.ts";
import { COPILOT_ABILITIES, COPILOT_EVENTS } from "./hooks.ts";

export const copilotInstaller: EntryInstaller = {
  kind: "entries",
  agent: "copilot",
  abilities: COPILOT_ABILITIES,
  events: COPILOT_EVENTS,
  syntax: { comments: false, trailingCommas: false, mark: false },
  seed: { version: 1 },
  ownsFile: true,
  canHttp: false,
  configFile: (scope, target) =>
    scope === "project"
      ? join(target.root, ".github", "hooks", "adjutant.json")
      : join(agentHome(target, "COPILOT_HOME", ".copilot"), "hooks", "adjutant.json"),
  // Read first, whatever `disableAllHooks` and the folder's trust say; it must be root's (1.0.102).
  managed: { file: (target) => systemFile(target, "/etc/github-copilot/policy.d/adjutant.json") },
  makeEntry: (_, { command, limitMs }) => ({
    type: "command",
    bash: command,
    timeoutSec: wholeSeconds(limitMs),
  }),
  schema: z.looseObject({
    version: z.literal(1),
    hooks: z.optional(
      z.record(
        z.string(),
        z.array(
          z.looseObject({
            timeoutSec: z.optional(positive),
            hooks: z.optional(z.array(z.unknown())),
          }),
        ),
      ),
    ),
  }),
  writeSample: camelSample,
  // As 1.0.102 does.
  blocksWithoutProgram: true,
  besideOthers: "a block of either holds; what it rewrites behind us our rules do not see",
  // Those of a repository, not those of a home (1.0.102).
  alsoRuns: ({ root }) =>
    ["settings.json", "settings.local.json"].map((file) => join(root, ".claude", file)),
  neighbours: {
    beside: /\.json$/,
    // Hooks may also stand in the settings, which are in another folder for a project (1.0.102).
    above: ["settings.json", "copilot/settings.json", "copilot/settings.local.json"],
    events: ["preToolUse", "PreToolUse", "permissionRequest", "PermissionRequest"],
  },
  nextSteps: (scope) =>
    scope === "project"
      ? [
          "trust the folder when `copilot` asks; with `-p` give `GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true`",
        ]
      : [],
};

/** The event is known by the fields alone, but for permission requests. */
function camelSample(event: string, sample: SampleStep): NativePayload {
  const { session, cwd, time, step, call, prompt, output } = sample;
  const base = { sessionId: session, timestamp: time.getTime(), cwd };
  const tool = { toolName: call?.tool, toolArgs: call?.args };
  switch (step) {
    case "session_start":
      return { ...base, source: "new" };
    case "before_prompt":
      return { ...base, prompt };
    case "before_tool":
      return { ...base, ...tool };
    case "before_permission":
      return { ...base, hookName: event, toolName: call?.tool, toolInput: call?.args };
    case "after_tool":
      return {
        ...base,
        ...tool,
        toolResult: { resultType: "success", textResultForLlm: output },
      };
    default:
      return { ...base, ...camelFields(step) };
  }
}

function camelFields(step: StepName): NativePayload {
  switch (step) {
    case "before_turn_end":
      return { stopReason: "end_turn" };
    case "subagent_start":
      return { agentName: "general-purpose" };
    case "subagent_end":
      return { agentName: "general-purpose", stopReason: "end_turn" };
    default:
      return sampleFields(step);
  }
}

// Seen with 1.0.102: what the folder's `.mcp.json` names is then left out without a word.
const UNTRUSTED =
  "`copilot -p` starts no server of the project without `--trust-folder` or `GITHUB_COPILOT_PROMPT_MODE_WORKSPACE_MCP=true`";

/** Who trusts a folder trusts what lies below it, by real paths (1.0.102). */
function isWithin(folder: unknown, root: string): boolean {
  if (typeof folder !== "string" || !existsSync(folder)) return false;
  const path = relative(realpathSync(folder), realpathSync(root));
  return path !== ".." && !path.startsWith(`..${sep}`);
}

export const copilotMcp: McpInstaller = {
  agent: "copilot",
  // A project's file is the one of Claude Code, in its form.
  configFiles: (scope, target) => [
    scope === "project"
      ? join(target.root, ".mcp.json")
      : join(agentHome(target, "COPILOT_HOME", ".copilot"), "mcp-config.json"),
  ],
  syntax: { comments: false, trailingCommas: false, mark: false },
  key: "mcpServers",
  makeEntry: (words) => plainServer(words, { type: "stdio" }),
  whyNotStarted: async (target) => {
    const file = join(agentHome(target, "COPILOT_HOME", ".copilot"), "config.json");
    const trusted = (await readSettingsFile(file))?.trustedFolders;
    return Array.isArray(trusted) && trusted.some((folder) => isWithin(folder, target.root))
      ? null
      : `the folder is not trusted in ${file}, so ${UNTRUSTED}`;
  },
  nextSteps: (scope) => [
    ...(scope === "project"
      ? [`trust the folder when \`copilot\` asks; until then ${UNTRUSTED}`]
      : []),
    "with `-p` give `--allow-tool adjutant`: without it only what is read-only runs",
  ],
};
