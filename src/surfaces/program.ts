// The program as its bundled commands see it, and those commands as the lowest layer.
import { fileURLToPath } from "node:url";
import { layerOf } from "../command/registry.ts";
import type { Program } from "../commands/program.ts";
import { loadBundled } from "../commands/roster.ts";
import type { Paths } from "../config/paths.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { commandWith } from "../load/command-with.ts";
import type { Bundled } from "../load/layers.ts";
import type { AuditStore, ConsentStore, SessionStore } from "../storage/stores.ts";
import { VERSION } from "../version.ts";
import { summarizeBundled } from "./bundled-summaries.ts";
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

/** The lowest layer. One command is loaded when it is dispatched, the others never. */
export async function bundleCommands(program: () => Program): Promise<Bundled> {
  const summaries = await summarizeBundled();
  const entries = summaries.map((summary) => ({
    kind: "command" as const,
    name: summary.name,
    file: `bundled:${summary.name}`,
    summary,
  }));
  return {
    layer: layerOf("bundled", entries),
    load: async ({ name, summary }) => commandWith((await loadBundled(name))(program), summary),
    markdown: {
      runMarkdown: async (file, args, context) => {
        const { runMarkdown } = await import("../commands/markdown/run-markdown.ts");
        return runMarkdown(file, args, { context, program: program() });
      },
      explainMarkdown: async (file, args, context) => {
        const { explainMarkdown } = await import("../commands/markdown/explain-markdown.ts");
        return explainMarkdown(file, args, { context, program: program() });
      },
    },
  };
}
