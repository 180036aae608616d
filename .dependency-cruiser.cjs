// The rules between folders. `scripts/check.mjs` also asserts that modules were seen at all.
const inside = (...folders) => `^src/(${folders.join("|")})/`;

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "types may speak of each other; code may not load each other",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "command-does-no-io",
      comment: "what a command is, is decided without touching the world",
      severity: "error",
      from: { path: inside("command") },
      to: { pathNot: ["^src/command/", "^node_modules/zod/", "^(node:)?util$"] },
    },
    {
      name: "only-process-starts-processes",
      severity: "error",
      from: { path: "^src/", pathNot: inside("process") },
      to: { path: "^(node:)?child_process$" },
    },
    {
      name: "only-storage-speaks-sql",
      severity: "error",
      from: { path: "^src/", pathNot: inside("storage") },
      to: { path: "^(node:)?sqlite$|^node_modules/pg" },
    },
    {
      name: "nothing-below-knows-a-surface",
      severity: "error",
      from: { path: "^src/", pathNot: inside("surfaces") },
      to: { path: inside("surfaces") },
    },
    {
      name: "dispatch-knows-no-files",
      comment: "the bus gets its commands through a port",
      severity: "error",
      from: { path: inside("dispatch") },
      to: { path: inside("load", "config", "commands", "agents", "sim") },
    },
    {
      name: "storage-and-process-stand-alone",
      severity: "error",
      from: { path: inside("storage", "process") },
      to: { path: inside("load", "config", "commands", "agents", "sim", "session") },
    },
    {
      name: "agents-know-no-commands",
      severity: "error",
      from: { path: inside("agents", "sim") },
      to: { path: inside("commands", "dispatch", "load") },
    },
    {
      name: "an-adapter-knows-only-its-agent",
      severity: "error",
      from: { path: "^src/agents/([^/]+)/" },
      to: { path: "^src/agents/([^/]+)/", pathNot: "^src/agents/$1/" },
    },
    {
      name: "no-folder-for-leftovers",
      severity: "error",
      from: {},
      to: { path: "/(utils?|helpers?|common|misc|shared)/", pathNot: "node_modules" },
    },
    {
      name: "no-development-parts-at-run-time",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    },
    { name: "everything-resolves", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
