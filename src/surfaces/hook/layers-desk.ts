// The commands of a place as virtual ones, by the layers themselves.
import { listCommands, resolveCommand } from "../../command/registry.ts";
import type { DeskPlace, ListedCommand, VirtualDesk } from "../../hooks/virtual/virtual-desk.ts";
import { currentRuntime } from "../../load/runtime.ts";
import { bundleCommands } from "../bundled-layer.ts";
import { createCatalog } from "../catalog.ts";

export async function openLayersDesk({ cwd, paths, root }: DeskPlace): Promise<VirtualDesk> {
  const bundled = await bundleCommands(() => {
    throw new TypeError("nothing is run here");
  });
  const catalog = createCatalog({ cwd, paths, root, runtime: currentRuntime(), bundled });
  return {
    prefix: async () => (await catalog.loaded()).settings.prefix,
    find: async (name) => {
      const found = resolveCommand((await catalog.loaded(name)).layers, name);
      if (found.kind === "found") return found.entry.summary;
      return found.kind === "broken" ? "broken" : null;
    },
    list: async () => {
      const found = listCommands((await catalog.loaded()).layers);
      return found.flatMap((one): ListedCommand[] =>
        one.kind === "found" ? [{ summary: one.entry.summary, layer: one.at.layer }] : [],
      );
    },
  };
}
