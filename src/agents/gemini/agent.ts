// What is known of Gemini CLI without loading any of it.
import { join } from "node:path";
import type { Agent } from "../agent.ts";

export const gemini: Agent = {
  name: "gemini",
  aliases: [],
  searchOrder: 3,
  marks: ["GEMINI_CLI"],
  packages: ["@google/gemini-cli"],
  // The variable names what stands for the home folder, not for `.gemini`.
  settings: ({ env, home, root }) => ({
    user: [join(env.GEMINI_CLI_HOME || home, ".gemini", "settings.json")],
    project: [join(root, ".gemini", "settings.json")],
    managed: [env.GEMINI_CLI_SYSTEM_SETTINGS_PATH || "/etc/gemini-cli/settings.json"],
  }),
  projectFolders: "start",
  // Seen with 0.61.0: "false", 0 and "" switch off as false does, a text is searched for the name as a list is, variables are
  // put in everywhere, and what is no object replaces the hooks of the layers below.
  hooksOff: ({ hooks, hooksConfig, disableAllHooks }) => {
    if (disableAllHooks === true) return "`disableAllHooks` is true";
    if (
      hooks !== undefined &&
      (typeof hooks !== "object" || hooks === null || Array.isArray(hooks))
    )
      return "`hooks` is no object";
    const { enabled, disabled } = Object(hooksConfig);
    if (enabled !== undefined && enabled !== null && enabled !== true)
      return `\`hooksConfig.enabled\` is ${JSON.stringify(enabled)}`;
    const isNamed = typeof disabled === "string" && disabled.includes("adjutant");
    const names: readonly unknown[] = Array.isArray(disabled) ? disabled : [disabled];
    return isNamed || names.some((name) => name === "adjutant" || String(name).includes("$"))
      ? "`hooksConfig.disabled` names `adjutant`"
      : null;
  },
  settingsCalls:
    /^(?:hooks? (?:disable|enable|uninstall|migrate)\S*|extensions? (?:install|uninstall|enable|disable|link|update|new)|mcp (?:add|remove|enable|disable))\b/,
  // Seen with 0.61.0; what is set already stays.
  variableFiles: [".env", ".gemini/.env"],
  settingsVariables: ["GEMINI_CLI_SYSTEM_SETTINGS_PATH"],
  homeVariables: ["GEMINI_CLI_HOME"],
  hookVariables: ["GEMINI_PROJECT_DIR", "GEMINI_CWD", "GEMINI_SESSION_ID", "GEMINI_PLANS_DIR"],
  readsStderr: true,
  run: async () => (await import("./run.ts")).geminiAdapter,
  conversation: async () => (await import("./conversation.ts")).geminiConversation,
  tools: async () => (await import("./tools.ts")).GEMINI_TOOLS,
  hooks: async () => (await import("./hooks.ts")).geminiHooks,
  install: async () => (await import("./install.ts")).geminiInstaller,
  mcp: async () => (await import("./install.ts")).geminiMcp,
  nativeCommands: async () => (await import("./commands.ts")).geminiFormat,
  sim: async () => (await import("./sim.ts")).geminiSim,
};
