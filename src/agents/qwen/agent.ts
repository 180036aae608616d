// What is known of Qwen Code without loading any of it.
import { join } from "node:path";
import type { Agent } from "../agent.ts";

export const qwen: Agent = {
  name: "qwen",
  aliases: [],
  searchOrder: 6,
  marks: ["QWEN_CODE"],
  packages: ["@qwen-code/qwen-code"],
  answerTool: "structured_output",
  settings: ({ env, home, root }) => ({
    user: [join(env.QWEN_HOME || join(home, ".qwen"), "settings.json")],
    project: [join(root, ".qwen", "settings.json")],
    managed: [
      env.QWEN_CODE_SYSTEM_SETTINGS_PATH || "/etc/qwen-code/settings.json",
      env.QWEN_CODE_SYSTEM_DEFAULTS_PATH || "/etc/qwen-code/system-defaults.json",
    ],
  }),
  projectFolders: "start",
  // Anything that is not empty counts as true (0.24.4).
  hooksOff: ({ hooksConfig, disableAllHooks }) => {
    if (disableAllHooks) return `\`disableAllHooks\` is ${JSON.stringify(disableAllHooks)}`;
    const { enabled, disabled } = Object(hooksConfig);
    if (enabled === false) return "`hooksConfig.enabled` is false";
    const isNamed = Array.isArray(disabled) && disabled.includes("adjutant");
    return isNamed ? "`hooksConfig.disabled` names `adjutant`" : null;
  },
  settingsCalls:
    /^(?:hooks? (?:disable|enable|uninstall|migrate)\S*|extensions? (?:install|uninstall|enable|disable|link|update|new)|mcp (?:add|remove|enable|disable))\b/,
  // Seen with 0.24.4; what is set already stays.
  variableFiles: [".env", ".qwen/.env"],
  settingsVariables: ["QWEN_CODE_SYSTEM_SETTINGS_PATH", "QWEN_CODE_SYSTEM_DEFAULTS_PATH"],
  hooksOffVariables: { names: ["QWEN_CODE_SIMPLE", "QWEN_CODE_SAFE_MODE"], byProject: true },
  homeVariables: ["QWEN_HOME"],
  hookVariables: ["QWEN_PROJECT_DIR"],
  run: async () => (await import("./run.ts")).qwenAdapter,
  conversation: async () => (await import("./conversation.ts")).qwenConversation,
  stepHooks: async () => (await import("./conversation.ts")).qwenStepHooks,
  tools: async () => (await import("./tools.ts")).QWEN_TOOLS,
  hooks: async () => (await import("./hooks.ts")).qwenHooks,
  install: async () => (await import("./install.ts")).qwenInstaller,
  mcp: async () => (await import("./install.ts")).qwenMcp,
  nativeCommands: async () => (await import("./commands.ts")).qwenFormat,
  sim: async () => (await import("./sim.ts")).qwenSim,
};
