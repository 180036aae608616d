import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "../../core/project/files.ts";
import type { NativePayload } from "../../core/step/envelope.ts";
import {
  agentHome,
  type InstallContext,
  type McpInstaller,
  type PluginInstaller,
} from "../steps/installer.ts";
import type { SampleStep } from "../steps/sample-step.ts";
import { OPENCODE_ABILITIES } from "./hooks.ts";

export const opencodeInstaller: PluginInstaller = {
  kind: "plugin",
  agent: "opencode",
  abilities: OPENCODE_ABILITIES,
  ownsFile: true,
  configFile: (scope, target) =>
    scope === "project"
      ? join(target.root, ".opencode", "plugins", "adjutant.js")
      : join(agentHome(target, "XDG_CONFIG_HOME", ".config"), "opencode", "plugins", "adjutant.js"),
  managed:
    "it has no setting by which a repository switches plugins off; install for every user, without `--managed`",
  makeSource: async (client, facts) => {
    const { makePluginSource } = await import("./plugin.ts");
    return makePluginSource(client, facts);
  },
  companion: (file) => ({ file: join(dirname(dirname(file)), ".npmrc"), text: NPMRC }),
  judgeStart: listWaitingFolders,
  writeSample: pluginSample,
  blocksWithoutProgram: false,
  besideOthers: "a block of either holds; what it rewrites behind us our rules do not see",
  neighbours: { beside: /\.[jt]s$/, above: [] },
  nextSteps: () => ["restart `opencode`: plugins are read when it starts"],
};

// Before it runs any plugin, opencode 1.18.33 waits until it has fetched a package into each folder it has settings in;
// without a network npm's retries make that 75 s. It reads the settings of npm that lie there: with these it starts as fast
// as without a plugin (measured under `unshare -n`). A registry that takes the call and never answers holds it all the same.
const NPMRC = `# Written by \`adj install opencode\`: without a network opencode would wait for retries at every start.
fetch-retries=0
`;

/** Folders in which it would wait all the same: a project's own, in which we write nothing unasked. */
function listWaitingFolders({ root, home }: InstallContext): string[] {
  return [join(root, ".opencode"), join(home, ".opencode")]
    .filter((folder) => existsSync(folder) && !existsSync(join(folder, "node_modules")))
    .filter((folder) => !/^fetch-retries *= *0$/m.test(readText(join(folder, ".npmrc")) ?? ""))
    .map(
      (folder) =>
        `without a network it takes over a minute to start here, because of \`${folder}\`: it fetches a package into it for any plugin; a line \`fetch-retries=0\` in \`.npmrc\` there ends that`,
    );
}

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

export const opencodeMcp: McpInstaller = {
  agent: "opencode",
  configFiles: (scope, target) => {
    const folder =
      scope === "project"
        ? target.root
        : join(agentHome(target, "XDG_CONFIG_HOME", ".config"), "opencode");
    return [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
  },
  syntax: { comments: true, trailingCommas: true, mark: false },
  key: "mcp",
  makeEntry: (words) => ({ type: "local", command: words, enabled: true }),
  nextSteps: () => ["it runs tools of servers without a question; what is destructive still waits"],
};
