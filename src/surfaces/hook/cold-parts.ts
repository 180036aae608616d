// What one cold call of a hook is answered with. All that most calls do without is loaded when it is needed.
import { fileURLToPath } from "node:url";
import { findHookAgent } from "../../hooks/agents/roster.ts";
import type { HookParts } from "../../hooks/hook-parts.ts";
import { loadHookSet } from "../../hooks/hook-set.ts";
import { INSTALL_SCOPES } from "../../hooks/install/installer.ts";
import { openAudit } from "../../storage/audit.ts";

export function makeColdParts(): HookParts {
  return {
    findAgent: findHookAgent,
    loadRules: loadHookSet,
    runRule: async (rule, subject, place) =>
      (await import("../../hooks/handlers/run-handler.ts")).runHandler(rule, subject, place),
    openDesk: async (place) => (await import("./layers-desk.ts")).openLayersDesk(place),
    runVirtual: async (job, signal) => (await import("./run-isolated.ts")).runIsolated(job, signal),
    program: [process.execPath, ownEntry()],
    hasOwnEntry: async (agent, place) => {
      const [{ requireInstaller }, { lookAtHooks }] = await Promise.all([
        import("../../hooks/install/roster.ts"),
        import("../../hooks/install/look.ts"),
      ]);
      const installer = requireInstaller(agent);
      return INSTALL_SCOPES.some(
        (scope) => lookAtHooks(installer, scope, place).kind === "installed",
      );
    },
    record: (stateDir, events) => {
      if (events.length === 0) return;
      // Not closed: the process ends, and the store loses nothing by it.
      const audit = openAudit(stateDir);
      for (const event of events) audit.append(event);
    },
  };
}

/** From the source tree, or from the build, where all files lie side by side. */
function ownEntry(): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isSource ? "../cli/entry.ts" : "./adj.cjs", import.meta.url));
}
