// The program as its bundled commands see it.
import { fileURLToPath } from "node:url";
import type { Program } from "../commands/program.ts";
import type { Paths } from "../config/paths.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import type { AuditStore, ConsentStore, SessionStore } from "../storage/stores.ts";
import { VERSION } from "../version.ts";
import type { ProgramCatalog } from "./catalog.ts";

export interface ProgramParts extends Paths {
  readonly root: string;
  readonly catalog: ProgramCatalog;
  readonly dispatcher: Dispatcher;
  readonly audit: AuditStore;
  readonly sessions: () => SessionStore & ConsentStore;
}

export function makeProgram({ catalog, dispatcher, ...parts }: ProgramParts): Program {
  return {
    ...parts,
    version: VERSION,
    entry: [process.execPath, ownEntry()],
    layers: async () => (await catalog.loaded()).layers,
    warnings: async () => (await catalog.loaded()).warnings,
    resolve: (name) => catalog.resolve(name),
    load: (entry, at) => catalog.load(entry, at),
    reload: () => catalog.reload(),
    agents: async () => (await import("../commands/agent-cards.ts")).listCards(),
    settings: async () => ({ ...(await catalog.loaded()).settings }),
    hookParts: async () => (await import("./hook/cold-parts.ts")).makeColdParts(),
    publish: ({ correlationId, session, mode }, type, data) => {
      const facts = { correlationId, sessionId: session.id, origin: { surface: mode } };
      dispatcher.events.publish({ time: new Date().toISOString(), type, ...facts, data });
    },
  };
}

/** From the source tree, or from the build, where all files lie side by side. */
function ownEntry(): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isSource ? "./cli/entry.ts" : "./adj.cjs", import.meta.url));
}
