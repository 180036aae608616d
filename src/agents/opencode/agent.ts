// What is known of opencode without loading any of it.
import { join } from "node:path";
import type { Agent } from "../agent.ts";

export const opencode: Agent = {
  name: "opencode",
  aliases: [],
  searchOrder: 4,
  marks: ["OPENCODE"],
  packages: ["opencode-ai", "opencode-linux", "opencode-darwin"],
  settings: ({ env, home, root }) => {
    const own = join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
    const files = ["opencode.json", "opencode.jsonc", "plugin", "plugins"];
    return {
      user: files.map((file) => join(own, file)),
      project: [
        ...["opencode.json", "opencode.jsonc"].map((file) => join(root, file)),
        ...files.map((file) => join(root, ".opencode", file)),
      ],
      managed: [],
    };
  },
  settingsCalls: /^(?:plugin|mcp (?:add|remove))\b|(?:^| )--pure\b/,
  withoutProject: () => ({ args: [], env: { OPENCODE_DISABLE_PROJECT_CONFIG: "true" } }),
  settingsVariables: ["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT"],
  hooksOffVariables: { names: ["OPENCODE_PURE"], byProject: false },
  homeVariables: [],
  // Our plugin names the file as Claude Code does.
  hookVariables: ["CLAUDE_ENV_FILE"],
  run: async () => (await import("./run.ts")).opencodeAdapter,
  conversation: async () => (await import("./conversation.ts")).opencodeConversation,
  tools: async () => (await import("./tools.ts")).OPENCODE_TOOLS,
  hooks: async () => (await import("./hooks.ts")).opencodeHooks,
  install: async () => (await import("./install.ts")).opencodeInstaller,
  mcp: async () => (await import("./install.ts")).opencodeMcp,
  nativeCommands: async () => (await import("./commands.ts")).opencodeFormat,
  sim: async () => (await import("./sim.ts")).opencodeSim,
};
