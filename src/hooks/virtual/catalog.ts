// The commands of a project as an agent may type them. Looking them up loads the layers, so it is loaded when a
// line or a session needs it.
import { listCommands, resolveCommand } from "../../core/command/registry.ts";
import type { ProgramCatalog } from "../../core/load/catalog.ts";
import type { ListedCommand, VirtualCatalog } from "./virtual-step.ts";

export const makeVirtualCatalog = (catalog: ProgramCatalog): VirtualCatalog => ({
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
});
