// dist/: the entry, the program behind it, parts that are read when first used, and what others import.
// CommonJS, and few files: as ES modules the same start took twice as long, with a file per chunk and
// `node:fs`, as an ES module, evaluating all it can export. What is imported dynamically within a file
// is evaluated when it is used.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  bundledSummaries,
  elsewhere,
  exampleFiles,
  partsApart,
  zodApart,
} from "./build-plugins.mjs";
import { enterWorkspace, localBin, ROOT, runStep } from "./workspace.mjs";

const CORE = `
export const main = () => import("./src/surfaces/cli/main.ts");
export const library = () => import("./src/surfaces/library.ts");
export const indexWorker = () => import("./src/load/index-worker.ts");
export const layersDesk = () => import("./src/surfaces/hook/layers-desk.ts");
export const virtualRunner = () => import("./src/surfaces/hook/virtual-runner.ts");
export const virtualWorker = () => import("./src/surfaces/hook/virtual-worker.ts");
`;

const exportAll = (files) => files.map((file) => `export * from "./src/${file}.ts";`).join("\n");

/** Handlers, shell lines, outputs: not for a step to which nobody has anything to say. */
const HOOK_WORK = exportAll(
  ["pipeline", "step-subject", "handlers/run-handler"]
    .concat(["virtual/answer-line", "virtual/answer-prompt", "virtual/open-session"])
    .concat("match/match-rule")
    .map((file) => `hooks/${file}`)
    .concat("surfaces/hook/run-isolated"),
);

/** Files of users and agents, read when they changed or once in a while. */
const HOOK_FILES = exportAll(["hooks/compile-hooks", "hooks/install/look", "hooks/install/roster"]);

const AGENTS = exportAll(
  ["agent/list-agents", "agent/start-run", "agent/show-run", "agent/normalize-saved"]
    .concat(["sim/play-scenario", "agent-cards", "markdown/run-markdown"])
    .concat(["markdown/explain-markdown"])
    .map((file) => `commands/${file}`)
    .concat("load/markdown-command", "markdown/builder"),
);

/** What is done once in a while: wiring Adjutant into the agents, and looking at the wires. */
const SETUP = exportAll(
  ["install/list-installed", "install/install-hooks", "install/uninstall-hooks", "doctor/examine"]
    .concat(["list-hooks", "test-step", "explain-step", "list-builtins"].map((f) => `hooks/${f}`))
    .concat("hooks/init-hooks", "sync/sync-commands", "import/import-commands")
    .map((file) => `commands/${file}`),
);

/** Has its own copy of the agents: a suite is run once in a while, an agent many times a day. */
const BENCH = exportAll(["commands/bench/start-bench", "commands/tour/bench-files"]);

/** Most starts need none of these; each is read the first time it is asked for. */
const PARTS = {
  "./yaml.cjs": /^yaml$/,
  "./prompts.cjs": /^@clack\/prompts$/,
  "./liquid.cjs": /^liquidjs$/,
  "./acorn.cjs": /^acorn$/,
  "./agents.cjs":
    /\/(list-agents|start-run|show-run|normalize-saved|play-scenario|agent-cards|(run|explain)-markdown|markdown-command)\.ts$/,
  "./bench.cjs": /\/(start-bench|bench-files)\.ts$/,
  "./setup.cjs":
    /\/(list-installed|(un)?install-hooks|examine|list-hooks|test-step|explain-step|list-builtins|init-hooks|(sync|import)-commands)\.ts$/,
};
const OWN_PARTS = new Set(["./agents.cjs", "./bench.cjs", "./setup.cjs"]);
const THIRD_PARTY = Object.fromEntries(
  Object.entries(PARTS).filter(([path]) => !OWN_PARTS.has(path)),
);
const BENCH_PARTS = { "./bench-server.cjs": /\/bench-postgres\.ts$/ };
const HOOK_PARTS = {
  "./hook-work.cjs":
    /\/(pipeline|step-subject|handlers\/run-handler|answer-line|answer-prompt|open-session|run-isolated|match-rule)\.ts$/,
  "./hook-files.cjs": /\/(compile-hooks|install\/look|install\/roster)\.ts$/,
};

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node24",
  // A part is read by `require`, not by the loader of ES modules.
  supported: { "dynamic-import": false },
  // Half the bytes to read at every start; names stay, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "external",
  define: { "import.meta.url": "moduleUrl" },
  // Its other form requires its parts by names that only Node can follow.
  alias: { "jsonc-parser": "./node_modules/jsonc-parser/lib/esm/main.js" },
  logLevel: "warning",
};
const MODULE_URL = { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' };

const from = (contents) => ({ contents, resolveDir: ROOT, sourcefile: "part.ts", loader: "ts" });

/** One function of `src/surfaces/` each; the files that the program starts with are small without them. */
const CLI = { module: "cli/main", file: "core", opener: "main", name: "main" };
const HOOK = { module: "hook/main", file: "hook", opener: null, name: "runHook" };
const RESIDENT = {
  module: "hook/serve-resident",
  file: "resident",
  opener: null,
  name: "serveResident",
};
const LAYERS_DESK = {
  module: "hook/layers-desk",
  file: "core",
  opener: "layersDesk",
  name: "openLayersDesk",
};

const BUNDLES = [
  {
    stdin: from(CORE),
    outfile: "dist/core.cjs",
    banner: MODULE_URL,
    plugins: [bundledSummaries, zodApart, partsApart({ ...PARTS, ...HOOK_PARTS })],
    supported: {},
  },
  {
    stdin: from(AGENTS),
    outfile: "dist/agents.cjs",
    banner: MODULE_URL,
    plugins: [zodApart, partsApart(THIRD_PARTY)],
  },
  {
    stdin: from(SETUP),
    outfile: "dist/setup.cjs",
    banner: MODULE_URL,
    plugins: [zodApart, partsApart(THIRD_PARTY)],
  },
  {
    stdin: from(BENCH),
    outfile: "dist/bench.cjs",
    banner: MODULE_URL,
    plugins: [exampleFiles, partsApart({ ...THIRD_PARTY, ...BENCH_PARTS })],
  },
  {
    entryPoints: ["src/storage/bench-postgres.ts"],
    outfile: "dist/bench-server.cjs",
    banner: MODULE_URL,
    // Looked for by `pg`, and done without.
    external: ["pg-native"],
  },
  {
    entryPoints: ["src/surfaces/hook/main.ts"],
    outfile: "dist/hook.cjs",
    banner: MODULE_URL,
    plugins: [partsApart({ ...THIRD_PARTY, ...HOOK_PARTS }), elsewhere(LAYERS_DESK)],
  },
  {
    entryPoints: ["src/surfaces/hook/serve-resident.ts"],
    outfile: "dist/resident.cjs",
    banner: MODULE_URL,
    plugins: [partsApart({ ...THIRD_PARTY, ...HOOK_PARTS }), elsewhere(LAYERS_DESK)],
  },
  {
    stdin: from(HOOK_WORK),
    outfile: "dist/hook-work.cjs",
    banner: MODULE_URL,
    plugins: [partsApart(THIRD_PARTY)],
  },
  {
    stdin: from(HOOK_FILES),
    outfile: "dist/hook-files.cjs",
    banner: MODULE_URL,
    plugins: [zodApart, partsApart(THIRD_PARTY)],
  },
  {
    stdin: from('export * from "yaml";'),
    outfile: "dist/yaml.cjs",
    alias: { yaml: "./node_modules/yaml/browser/index.js" },
  },
  { stdin: from('export * from "@clack/prompts";'), outfile: "dist/prompts.cjs" },
  { stdin: from('export * from "liquidjs";'), outfile: "dist/liquid.cjs" },
  { stdin: from('export * from "acorn";'), outfile: "dist/acorn.cjs" },
  { stdin: from('export { z } from "zod";'), outfile: "dist/zod.js", format: "esm", supported: {} },
  {
    entryPoints: ["src/surfaces/cli/entry.ts"],
    outfile: "dist/adj.cjs",
    plugins: [elsewhere(CLI), elsewhere(HOOK), elsewhere(RESIDENT)],
  },
];

/** What runs apart from the program that starts it. */
const THREADS = {
  "index-worker.cjs": "indexWorker",
  "virtual-runner.cjs": "virtualRunner",
  "virtual-worker.cjs": "virtualWorker",
};

/** The library is the very program that runs a user's file, so it is taken from the core. */
async function writeLibrary() {
  const source = pathToFileURL(join(ROOT, "src/surfaces/library.ts")).href;
  const names = Object.keys(await import(source)).filter((name) => name !== "z");
  const exported = names.map((name) => `export const ${name} = library.${name};\n`).join("");
  return `export { z } from "./zod.js";\nimport core from "./core.cjs";\nconst library = await core.library();\n${exported}`;
}

/** The builder is the very one that Markdown commands run with. */
async function writeMarkdown() {
  const source = pathToFileURL(join(ROOT, "src/markdown/builder.ts")).href;
  const names = Object.keys(await import(source));
  const exported = names.map((name) => `export const ${name} = agents.${name};\n`).join("");
  return `import agents from "./agents.cjs";\n${exported}`;
}

export async function buildBundles() {
  const { build } = await import("esbuild");
  for (const bundle of BUNDLES) await build({ ...COMMON, ...bundle });
  const dist = join(ROOT, "dist");
  writeFileSync(join(dist, "library.js"), await writeLibrary());
  writeFileSync(join(dist, "markdown.js"), await writeMarkdown());
  for (const [file, name] of Object.entries(THREADS))
    writeFileSync(join(dist, file), `require("./core.cjs").${name}();\n`);
}

export function buildTypes() {
  rmSync(join(ROOT, "dist", "types"), { recursive: true, force: true });
  runStep("types", localBin("tsc"), ["-p", "tsconfig.build.json"]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  enterWorkspace();
  await buildBundles();
  buildTypes();
}
