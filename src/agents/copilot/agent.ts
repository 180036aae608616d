// What is known of Copilot CLI without loading any of it.
import { join } from "node:path";
import type { Agent } from "../agent.ts";

export const copilot: Agent = {
  name: "copilot",
  aliases: [],
  searchOrder: 5,
  marks: ["COPILOT_CLI"],
  packages: ["@github/copilot"],
  settings: ({ env, home, root }) => {
    const own = env.COPILOT_HOME || join(home, ".copilot");
    return {
      user: ["settings.json", "config.json", "hooks"].map((file) => join(own, file)),
      // Those of Claude Code count as well (1.0.102).
      project: [
        ...["hooks", "copilot/settings.json", "copilot/settings.local.json"].map((file) =>
          join(root, ".github", file),
        ),
        ...["settings.json", "settings.local.json"].map((file) => join(root, ".claude", file)),
      ],
      managed: ["/etc/github-copilot/policy.d"],
    };
  },
  hooksOff: ({ disableAllHooks, disable_all_hooks }) => {
    if (disableAllHooks === true) return "`disableAllHooks` is true";
    return disable_all_hooks === true ? "`disable_all_hooks` is true" : null;
  },
  settingsCalls:
    /^(?:config (?!(?:get|list|show)\b)\S+|plugin (?:install|uninstall|enable|disable|update|marketplace)|mcp (?:add|remove|enable|disable))\b|(?:^| )--(?:config-dir|plugin-dir|additional-mcp-config)\b/,
  projectServers: [".mcp.json", ".github/mcp.json", ".vscode/mcp.json", ".claude/settings.json"],
  // Without the folder's trust it runs nothing of the project's, unless one of these is `true` (1.0.102).
  withoutProject: () => ({
    args: [],
    env: {
      GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: "false",
      GITHUB_COPILOT_PROMPT_MODE_WORKSPACE_MCP: "false",
    },
  }),
  homeVariables: ["COPILOT_HOME"],
  hookVariables: ["COPILOT_CLI", "COPILOT_PLUGIN_ROOT", "PLUGIN_ROOT"],
  // 1.0.102 also reads a project's `.claude/settings.json`, and takes only its own answers.
  borrows: {
    agent: "claude-code",
    variable: "COPILOT_CLI",
    value: "1",
    answeredAs: "Copilot",
  },
  run: async () => (await import("./run.ts")).copilotAdapter,
  conversation: async () => (await import("./conversation.ts")).copilotConversation,
  stepHooks: async () => (await import("./conversation.ts")).describeCopilotHooks,
  tools: async () => (await import("./tools.ts")).COPILOT_TOOLS,
  hooks: async () => (await import("./hooks.ts")).copilotHooks,
  install: async () => (await import("./install.ts")).copilotInstaller,
  mcp: async () => (await import("./install.ts")).copilotMcp,
  nativeCommands: async () => (await import("./commands.ts")).copilotFormat,
  sim: async () => (await import("./sim.ts")).copilotSim,
};
