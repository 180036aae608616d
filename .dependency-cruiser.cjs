// The rules between folders, as docs/architecture.md has them. Type imports count. `scripts/check-house.mjs` adds
// what cannot be said here: no cycle between folders at any level, and that modules were seen at all.
const { existsSync, readdirSync } = require("node:fs");
const { join } = require("node:path");

const inside = (...folders) => `^src/(${folders.join("|")})/`;

/** From the ground up; folders of one tier do not import each other. */
const TIERS = [
  ["core"],
  ["agents"],
  ["hooks", "markdown", "sim"],
  ["session"],
  ["workflow", "bench"],
  ["server"],
  ["setup"],
];
const AGENTS_FOLDER = join(__dirname, "src", "agents");
/** Every folder with a description is an agent's. */
const AGENTS = readdirSync(AGENTS_FOLDER)
  .filter((name) => existsSync(join(AGENTS_FOLDER, name, "agent.ts")))
  // Among the commands there is one of that name.
  .filter((name) => name !== "commands")
  .join("|");

const ENTRIES = "^src/[^/]+\\.ts$";

/** A folder may import what lies below it, never its neighbours or what lies above. */
const onlyDownwards = TIERS.flatMap((tier, height) =>
  tier.map((folder) => {
    const above = TIERS.slice(height + 1).flat();
    const beside = tier.filter((other) => other !== folder);
    return {
      name: `${folder}-imports-only-what-lies-below`,
      severity: "error",
      from: { path: inside(folder) },
      to: { path: [inside(...above, ...beside, folder === "core" ? "queue" : "-"), ENTRIES] },
    };
  }),
);

module.exports = {
  forbidden: [
    ...onlyDownwards,
    {
      name: "queue-stands-on-core-alone",
      severity: "error",
      from: { path: inside("queue") },
      to: { path: "^src/", pathNot: inside("queue", "core") },
    },
    {
      name: "only-the-entries-know-an-entry",
      comment: "cli.ts, library.ts and what runs apart are begun with, not imported",
      severity: "error",
      from: { path: "^src/", pathNot: ENTRIES },
      to: { path: "^src/(cli|library)\\.ts$" },
    },
    {
      name: "an-agent-knows-only-itself",
      severity: "error",
      from: { path: `^src/agents/(${AGENTS})/` },
      to: {
        path: `^src/agents/((${AGENTS})/|roster)`,
        pathNot: "^src/agents/$1/",
      },
    },
    {
      name: "no-cycles",
      comment: "types may speak of each other inside a folder; code may not load each other",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "pure-rooms-do-no-io",
      comment: "what a command, a step and a shell line are is decided without touching the world",
      severity: "error",
      from: { path: "^src/(core/(command|step|shell|secrets)|markdown/(file|argv))/" },
      to: {
        dependencyTypes: ["core"],
        pathNot: "^(node:)?(util|path|crypto|url|buffer|string_decoder)$",
      },
    },
    {
      name: "only-process-starts-processes",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/core/process/" },
      to: { path: "^(node:)?child_process$" },
    },
    {
      name: "only-stores-speak-sql",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(core/store|bench/store|workflow/journal|queue)/" },
      to: { path: "^(node:)?sqlite$|^node_modules/pg" },
    },
    {
      name: "no-folder-for-leftovers",
      severity: "error",
      from: {},
      to: { path: "/(utils?|helpers?|common|misc|shared)/", pathNot: "node_modules" },
    },
    {
      name: "no-unlisted-parts",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
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
