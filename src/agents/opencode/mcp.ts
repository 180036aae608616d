import { join } from "node:path";
import { agentHome } from "../steps/installer.ts";
import type { McpInstaller } from "../steps/mcp-installer.ts";

export const opencodeMcp: McpInstaller = {
  agent: "opencode",
  configFiles: (scope, place) => {
    const folder =
      scope === "project"
        ? place.root
        : join(agentHome(place, "XDG_CONFIG_HOME", ".config"), "opencode");
    return [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
  },
  syntax: { comments: true, trailingCommas: true, mark: false },
  key: "mcp",
  makeEntry: (words) => ({ type: "local", command: words, enabled: true }),
  nextSteps: () => ["it runs tools of servers without a question; what is destructive still waits"],
};
