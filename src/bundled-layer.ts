// The commands that come with the program, as the lowest layer of every catalog.
import { AGENT_WORDS } from "./agents/roster.ts";
import { summarizeBundled } from "./bundled-summaries.ts";
import { layerOf } from "./core/command/registry.ts";
import type { Program } from "./core/commands/bundled.ts";
import { createCatalog, type ProgramCatalog } from "./core/load/catalog.ts";
import type { Bundled, LoadRequest } from "./core/load/layers.ts";
import { currentRuntime } from "./core/load/runtime.ts";
import { commandWith } from "./core/load/summary.ts";
import { fileKinds, loadBundled } from "./features.ts";

/** One command is loaded when it is dispatched, the others never. */
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
  };
}

/** All layers of a project, to look commands up; the bundled ones cannot be run from here. */
export async function openCatalog(
  request: Required<Pick<LoadRequest, "cwd" | "paths" | "root">>,
): Promise<ProgramCatalog> {
  const bundled = await bundleCommands(() => {
    throw new TypeError("nothing is run here");
  });
  const { cwd, paths, root } = request;
  return createCatalog({
    cwd,
    paths,
    root,
    runtime: currentRuntime(AGENT_WORDS),
    bundled,
    fileKinds: fileKinds(null),
  });
}
