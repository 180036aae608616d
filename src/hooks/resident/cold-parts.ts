// What one cold call of a hook is answered with. All that most calls do without is loaded when it is needed.
import { dirname, extname, join } from "node:path";
import { findHookAgent } from "../../agents/roster.ts";
import type { ProgramCatalog } from "../../core/load/catalog.ts";
import { openAudit } from "../../core/store/audit.ts";
import type { HookParts } from "../pipeline/hook-call.ts";
import { loadHookSet } from "../pipeline/set.ts";
import type { VirtualContext } from "../virtual/virtual-step.ts";

/** What hooks need of the program they are part of; its entries pass it in. */
export interface HookProgram {
  /** The words that start the program, by absolute paths. Its other entries lie beside the last. */
  readonly program: readonly string[];
  openCatalog(context: Pick<VirtualContext, "cwd" | "paths" | "root">): Promise<ProgramCatalog>;
}

export function makeColdParts({ program, openCatalog }: HookProgram): HookParts {
  return {
    program,
    findAgent: findHookAgent,
    loadRules: loadHookSet,
    runRule: async (rule, subject, context) =>
      (await import("../handlers/run.ts")).runHookHandler(rule, subject, context),
    openCatalog: async (context) => {
      const { makeVirtualCatalog } = await import("../virtual/catalog.ts");
      return makeVirtualCatalog(await openCatalog(context));
    },
    runVirtual: async (job, signal) => {
      const { runIsolated } = await import("../virtual/job.ts");
      return runIsolated(job, { runner: entryBeside(program, "virtual-runner"), signal });
    },
    hasOwnEntry: async (agent, context) =>
      (await import("../install/look.ts")).areHooksInstalled(agent, context),
    record: (stateDir, events) => {
      if (events.length === 0) return;
      const audit = openAudit(stateDir);
      for (const event of events) audit.append(event);
      audit.leave();
    },
  };
}

/** The entries of threads and processes lie side by side, in the source tree as in the build. */
export function entryBeside(program: readonly string[], name: string): string {
  const entry = program.at(-1) ?? "";
  return join(dirname(entry), `${name}${extname(entry)}`);
}
