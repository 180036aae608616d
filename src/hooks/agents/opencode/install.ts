import { join } from "node:path";
import { agentHome } from "../../install/agent-home.ts";
import type { PluginInstaller } from "../../install/installer.ts";

export const opencodeInstaller: PluginInstaller = {
  kind: "plugin",
  agent: "opencode",
  ownsFile: true,
  configFile: (scope, place) =>
    scope === "project"
      ? join(place.root, ".opencode", "plugins", "adjutant.js")
      : join(agentHome(place, "XDG_CONFIG_HOME", ".config"), "opencode", "plugins", "adjutant.js"),
  makeSource: async (client) => {
    const { makePluginSource } = await import("./plugin-source.ts");
    return makePluginSource(client);
  },
  nextSteps: () => ["restart `opencode`: plugins are read when it starts"],
};
