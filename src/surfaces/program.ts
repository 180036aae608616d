// The program as its bundled commands see it, and those commands as the lowest layer.
import { fileURLToPath } from "node:url";
import type { Command } from "../command/command.ts";
import { layerOf } from "../command/registry.ts";
import type { Program } from "../commands/program.ts";
import { BUNDLED } from "../commands/roster.ts";
import type { Paths } from "../config/paths.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { commandOf } from "../load/command-of.ts";
import type { Bundled } from "../load/layers.ts";
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

/** The parts are asked for when a command runs: the bundled commands are made before they exist. */
export function makeProgram(parts: () => ProgramParts): Program {
  return {
    version: VERSION,
    entry: [process.execPath, ownEntry()],
    get root() {
      return parts().root;
    },
    get stateDir() {
      return parts().stateDir;
    },
    get configDir() {
      return parts().configDir;
    },
    get audit() {
      return parts().audit;
    },
    sessions: () => parts().sessions(),
    layers: async () => (await parts().catalog.loaded()).layers,
    warnings: async () => (await parts().catalog.loaded()).warnings,
    resolve: (name) => parts().catalog.resolve(name),
    reload: () => parts().catalog.reload(),
    agents: [],
    settings: async () => ({ ...(await parts().catalog.loaded()).settings }),
    publish: ({ correlationId, session, mode }, type, data) => {
      const time = new Date().toISOString();
      const origin = { surface: mode };
      parts().dispatcher.events.publish({
        time,
        type,
        correlationId,
        sessionId: session.id,
        origin,
        data,
      });
    },
  };
}

/** From the source tree, or from the build, where all files lie side by side. */
function ownEntry(): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isSource ? "./cli/entry.ts" : "./adj.js", import.meta.url));
}

export function bundleCommands(program: Program): Bundled {
  const commands = new Map<string, Command>();
  for (const make of BUNDLED) {
    const definition = make(program);
    commands.set(definition.name, commandOf(definition, definition.name));
  }
  const entries = [...commands].map(([name, { summary }]) => ({
    kind: "command" as const,
    name,
    file: `bundled:${name}`,
    summary,
  }));
  return {
    layer: layerOf("bundled", entries),
    load: async ({ name }) => {
      const command = commands.get(name);
      if (command === undefined) throw new TypeError(`no bundled command ${name}`);
      return command;
    },
  };
}
