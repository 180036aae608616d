// What is known of Codex CLI without loading any of it.
import { join } from "node:path";
import type { Agent } from "../agent.ts";

const inFolder = (folder: string): string[] =>
  ["config.toml", "hooks.json"].map((file) => join(folder, file));

export const codex: Agent = {
  name: "codex",
  aliases: [],
  searchOrder: 2,
  marks: ["CODEX_SANDBOX", "CODEX_THREAD_ID"],
  packages: ["@openai/codex", "@agentclientprotocol/codex-acp"],
  settings: ({ env, home, root }) => ({
    user: inFolder(env.CODEX_HOME || join(home, ".codex")),
    project: inFolder(join(root, ".codex")),
    managed: ["requirements.toml", "managed_config.toml", "config.toml"].map((file) =>
      join("/etc/codex", file),
    ),
  }),
  projectFolders: "between",
  // The earlier name still counts where the other is not there (0.166).
  hooksOff: ({ features }) => {
    const { hooks, codex_hooks } = Object(features);
    if (hooks === false) return "`hooks` of `[features]` is false";
    return hooks === undefined && codex_hooks === false
      ? "`codex_hooks` of `[features]` is false"
      : null;
  },
  onlyManagedHooks: ({ allow_managed_hooks_only }) =>
    allow_managed_hooks_only === true ? "`allow_managed_hooks_only` is true" : null,
  settingsCalls:
    /(?:^| )(?:features (?:enable|disable)|mcp (?:add|remove)|plugin (?:add|remove|install|uninstall|marketplace))\b|(?:^| )(?:-c|--config)[ =]?["']?(?:features|hooks|projects|mcp_servers|plugins)\b|(?:^| )--disable[ =](?:codex_)?hooks\b|(?:^| )--(?:ignore-user-config|ignore-rules)\b/,
  // As one value: a dotted key could not hold a path.
  withoutProject: (root) => ({
    args: ["-c", `projects={${JSON.stringify(root)}={trust_level="untrusted"}}`],
    env: {},
  }),
  hookTrust: async () => (await import("./hook-trust.ts")).askCodexHookTrust,
  homeVariables: ["CODEX_HOME"],
  hookVariables: [],
  run: async () => (await import("./run.ts")).codexAdapter,
  conversation: async () => (await import("./conversation.ts")).codexConversation,
  tools: async () => (await import("./tools.ts")).CODEX_TOOLS,
  hooks: async () => (await import("./hooks.ts")).codexHooks,
  install: async () => (await import("./install.ts")).codexInstaller,
  mcp: async () => (await import("./install.ts")).codexMcp,
  nativeCommands: async () => (await import("./commands.ts")).codexFormat,
  sim: async () => (await import("./sim.ts")).codexSim,
};
