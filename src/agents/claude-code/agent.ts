// What is known of Claude Code without loading any of it.
import { join } from "node:path";
import type { Agent } from "../agent.ts";

export const claudeCode: Agent = {
  name: "claude-code",
  aliases: ["claude"],
  searchOrder: 1,
  marks: ["CLAUDECODE"],
  packages: ["@anthropic-ai/claude-code", "@agentclientprotocol/claude-agent-acp"],
  settings: ({ env, home, root }) => ({
    user: [join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json")],
    project: ["settings.json", "settings.local.json"].map((file) => join(root, ".claude", file)),
    managed: ["managed-settings.json", "managed-settings.d"].map((file) =>
      join("/etc/claude-code", file),
    ),
  }),
  // Seen with 2.1.325: the root's files do not count for what is started below it.
  projectFolders: "start",
  hooksOff: ({ disableAllHooks }) =>
    disableAllHooks === true ? "`disableAllHooks` is true" : null,
  // Here a text counts as true (2.1.325).
  onlyManagedHooks: ({ allowManagedHooksOnly, strictPluginOnlyCustomization }) => {
    if (allowManagedHooksOnly) return "`allowManagedHooksOnly` is true";
    return strictPluginOnlyCustomization ? "`strictPluginOnlyCustomization` is set" : null;
  },
  // A project's `env` does not bring them into force (2.1.325).
  hooksOffVariables: { names: ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"], byProject: false },
  settingsCalls:
    /^(?:config (?:set|add|rm|remove)|mcp (?:add|remove)\S*|plugins? (?:i|install|enable|disable|uninstall|remove|update)|plugins? marketplace (?:add|remove))\b|(?:^| )--(?:settings|setting-sources|managed-settings|plugin-dir|bare|safe-mode)\b/,
  workflows: ({ env, home }) => ({
    project: join(".claude", "workflows"),
    user: join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "workflows"),
  }),
  agentTypes: ({ env, home }) => ({
    project: join(".claude", "agents"),
    user: join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "agents"),
  }),
  answerTool: "StructuredOutput",
  projectServers: [".mcp.json"],
  withoutProject: () => ({
    args: ["--setting-sources", "user", "--strict-mcp-config"],
    env: {},
  }),
  homeVariables: ["CLAUDE_CONFIG_DIR"],
  hookVariables: [
    ...["CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "CLAUDE_EFFORT", "CLAUDE_PID"],
    ...["CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"],
    ...["CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "AI_AGENT"],
  ],
  sessionVariable: "CLAUDE_CODE_SESSION_ID",
  run: async () => (await import("./run.ts")).claudeCodeAdapter,
  conversation: async () => (await import("./conversation.ts")).claudeCodeConversation,
  stepHooks: async () => (await import("./conversation.ts")).claudeStepHooks,
  tools: async () => (await import("./tools.ts")).CLAUDE_TOOLS,
  hooks: async () => (await import("./hooks.ts")).claudeCodeHooks,
  install: async () => (await import("./install.ts")).claudeCodeInstaller,
  mcp: async () => (await import("./install.ts")).claudeCodeMcp,
  nativeCommands: async () => (await import("./commands.ts")).claudeCodeFormat,
  sim: async () => (await import("./sim.ts")).claudeCodeSim,
};
