import type { Feature } from "./commands/bundled.ts";
import type { FileKind } from "./load/command-file.ts";

const MODULE_EXTENSIONS = [".ts", ".js", ".mjs"];

/** Modules; what importing one takes is loaded with the first of them. */
const MODULE_KIND: FileKind = {
  extensions: MODULE_EXTENSIONS,
  endings: MODULE_EXTENSIONS,
  nameOf: (fileName) => fileName.slice(0, fileName.lastIndexOf(".")),
  load: async (file, known) => (await import("./load/module-command.ts")).loadModule(file, known),
};

export const coreFeature: Feature = {
  name: "core",
  commands: {
    approve: () => import("./commands/approve.ts"),
    commands: () => import("./commands/commands.ts"),
    completion: () => import("./commands/completion/completion.ts"),
    config: () => import("./commands/config/config.ts"),
    explain: () => import("./commands/explain.ts"),
    forget: () => import("./commands/forget.ts"),
    help: () => import("./commands/help.ts"),
    log: () => import("./commands/log/log.ts"),
    new: () => import("./commands/new/new.ts"),
    prune: () => import("./commands/prune/prune.ts"),
    reload: () => import("./commands/reload.ts"),
    trust: () => import("./commands/trust/trust.ts"),
  },
  loaders: () => [MODULE_KIND],
  oldThings: async (search) => (await import("./commands/prune/of-core.ts")).findOldRecords(search),
  scaffolds: {
    ts: async () => (await import("./commands/new/typescript.ts")).typescriptScaffold,
  },
};
