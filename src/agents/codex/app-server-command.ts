// How Codex's app server is started for a conversation: the same settings as a run's, by configuration alone, because
// it takes none of the flags of `exec` (0.166).
import type { AgentAdapter, AgentCommand, AgentExecutionContext } from "../run/adapter.ts";
import { type AgentCapabilities, defineFlags } from "../run/capabilities.ts";
import { composeCommand } from "../run/command-line.ts";
import { createConfigCheck } from "../run/config.ts";
import { codexAdapter } from "./run.ts";

const FLAGS = defineFlags({
  nothing: "--strict-config",
  value: "--config,-c* --enable* --disable*",
});

const sandbox = (mode: string) => ({
  uses: [{ flag: "-c", value: `sandbox_mode="${mode}"` }],
});

function serverCapabilities(version: string | null): AgentCapabilities {
  const capabilities = codexAdapter.capabilities(version);
  return {
    ...capabilities,
    flags: FLAGS,
    ownFlags: [],
    prompt: "none",
    outputFormats: ["json"],
    settings: {
      ...capabilities.settings,
      model: { to: "own" },
      // It goes with every turn.
      output_schema: { to: "own" },
      add_dirs: {
        to: "config",
        flag: "-c",
        key: "sandbox_workspace_write.writable_roots",
        byFile: false,
      },
      // Everything is asked about in each of them; what may be done unasked is not among Codex's words.
      permission_mode: {
        to: "modes",
        modes: {
          plan: sandbox("read-only"),
          ask: { uses: [] },
          allowlist: { uses: [] },
          auto: sandbox("danger-full-access"),
          "read-only": sandbox("read-only"),
          "workspace-write": sandbox("workspace-write"),
          "danger-full-access": sandbox("danger-full-access"),
        },
      },
    },
  };
}

/** Codex as a server: checked and started by the words above, known by the others as in a run. */
export const codexServer: AgentAdapter = {
  ...codexAdapter,
  capabilities: serverCapabilities,
  checkConfig: createConfigCheck("codex", serverCapabilities),
  buildCommand: buildServerCommand,
};

function buildServerCommand(context: AgentExecutionContext): AgentCommand {
  return composeCommand(context, {
    program: "codex",
    capabilities: serverCapabilities(context.agentVersion ?? null),
    lead: [
      "app-server",
      ...["-c", "features.unbounded_connection_retries=false"],
      ...["-c", "check_for_update_on_startup=false"],
    ],
    // What is typed into a terminal that was allowed once is not asked about (0.166), so there are none. The last
    // word counts.
    tail: ["-c", "features.unified_exec_tty=false"],
  });
}
