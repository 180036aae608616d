import { dirname, join } from "node:path";
import type { NativePayload } from "../../core/step/envelope.ts";
import { agentHome, type PluginInstaller } from "../steps/installer.ts";
import type { SampleStep } from "../steps/sample-step.ts";
import { OPENCODE_ABILITIES } from "./hooks.ts";

export const opencodeInstaller: PluginInstaller = {
  kind: "plugin",
  agent: "opencode",
  abilities: OPENCODE_ABILITIES,
  ownsFile: true,
  configFile: (scope, place) =>
    scope === "project"
      ? join(place.root, ".opencode", "plugins", "adjutant.js")
      : join(agentHome(place, "XDG_CONFIG_HOME", ".config"), "opencode", "plugins", "adjutant.js"),
  managed:
    "it has no setting by which a repository switches plugins off; install for every user, without `--managed`",
  makeSource: async (client, isGuarded) => {
    const { makePluginSource } = await import("./plugin.ts");
    return makePluginSource(client, isGuarded);
  },
  companion: (file) => ({ file: join(dirname(dirname(file)), ".npmrc"), text: NPMRC }),
  writeSample: pluginSample,
  blocksWithoutProgram: false,
  besideOthers: "a block of either holds; what it rewrites behind us our rules do not see",
  neighbours: { beside: /\.[jt]s$/, above: [] },
  nextSteps: () => ["restart `opencode`: plugins are read when it starts"],
};

// Before it runs any plugin, opencode 1.18.33 waits until it has fetched a package into its folder; without a network
// npm's retries make that minutes. It reads the settings of npm that lie there: one try, and then it goes on.
const NPMRC = `# Written by \`adj install opencode\`: without a network opencode would wait for retries at every start.
fetch-retries=0
`;

function pluginSample(event: string, sample: SampleStep): NativePayload {
  const { session, cwd, step, call, prompt, output } = sample;
  return {
    event,
    session_id: session,
    cwd,
    ...(step === "session_start" ? { source: "startup" } : {}),
    ...(step === "before_prompt" ? { prompt } : {}),
    ...(call === null ? {} : { tool: call.tool, call_id: session, args: call.args }),
    ...(step === "after_tool" ? { output, is_error: false } : {}),
    ...(step === "before_turn_end" ? { continues_so_far: 0 } : {}),
  };
}
