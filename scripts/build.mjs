// dist/: the program in few CommonJS files, each module in exactly one of them, and what others import.
// How it is cut follows from the imports (chunks.mjs); why it is so: docs/decisions/build.md.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  computedModules,
  cutByImports,
  inAscii,
  inspectOutput,
  leaveOut,
  makeNotices,
} from "./build-plugins.mjs";
import { buildTypes } from "./build-types.mjs";
import { enterWorkspace, ROOT } from "./workspace.mjs";

/** What is started from outside, under its name in dist/. */
const PROGRAMS = {
  adj: "src/cli.ts",
  "hook-worker": "src/hook-worker.ts",
  "index-worker": "src/index-worker.ts",
  "virtual-runner": "src/virtual-runner.ts",
  "virtual-worker": "src/virtual-worker.ts",
  "workflow-script": "src/workflow-script.ts",
};

/** They may read no other file. */
const ALONE = ["workflow-script"];

/** Loaded by its address, for it is an ES module that waits while it is loaded: nothing of ours may be in it twice. */
const SCREEN = { "console-screen": "src/session/console/screen.ts" };

/** What users import: as ES modules, and from the very program that runs the user's file. */
const LIBRARIES = {
  library: "src/library.ts",
  agents: "src/agents-library.ts",
  hooks: "src/hooks-library.ts",
  markdown: "src/markdown/argv/builder.ts",
};

/** How many times as often as others these are loaded: a hook at every step of an agent. */
const OFTEN = { "src/cli.ts": 100, "src/hook.ts": 1000 };

/** What these return is found out now, so that no start has to and no checkout is needed. */
const COMPUTED = {
  "src/bundled-summaries.ts": "summarizeBundled",
  "src/setup/tour/example-files.ts": "readExampleFiles",
  "src/version-line.ts": "versionLine",
};

const DIST = join(ROOT, "dist");

const INPUT = {
  cwd: ROOT,
  platform: "node",
  input: { ...PROGRAMS, ...LIBRARIES },
  // Looked for by `pg`, and done without.
  external: ["pg-native"],
  preserveEntrySignatures: "allow-extension",
  resolve: {
    // Of several forms the ES modules: they need no wrapper each, and what is not used is left out.
    mainFields: ["module", "main"],
    alias: { yaml: join(ROOT, "node_modules", "yaml", "browser", "index.js") },
  },
  // What one module imports later another may need at once.
  checks: { ineffectiveDynamicImport: false },
};

const OUTPUT = {
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name].cjs",
  // Half the bytes to read at every start; names stay, for stack traces.
  minify: {
    mangle: false,
    compress: { keepNames: { function: true, class: true } },
    codegen: { removeWhitespace: true },
  },
  comments: { legal: true, annotation: false, jsdoc: false },
};

export async function buildBundles() {
  const { rolldown } = await import("rolldown");
  const { compileCalledEagerly } = await import("./eager-functions.mjs");
  const bundle = await rolldown({ ...INPUT, plugins: [await computedModules(COMPUTED)] });
  const apart = await bundle.generate({ ...OUTPUT, preserveModules: true, minify: false });
  const codeSplitting = cutByImports(apart.output, OFTEN);
  const { output } = await bundle.generate({ ...OUTPUT, codeSplitting });
  await bundle.close();
  inspectOutput(output, Object.keys(PROGRAMS), ALONE);
  const screen = await buildScreen(rolldown);
  const libraries = await Promise.all(Object.entries(LIBRARIES).map(makeLibrary));
  writeFiles([
    ["THIRD-PARTY.txt", makeNotices([...output, ...screen])],
    ...screen.map(({ fileName, code }) => [fileName, inAscii(code)]),
    // What runs takes a new entry for a sign that all is new.
    ...compileCalledEagerly(
      output
        .toSorted((a, b) => a.isEntry - b.isEntry)
        .map(({ fileName, code }) => [fileName, inAscii(code)]),
    ),
    ...libraries,
  ]);
}

async function buildScreen(rolldown) {
  const bundle = await rolldown({
    cwd: ROOT,
    platform: "node",
    input: SCREEN,
    // Of ink, for those who work on it; what it imports is not installed.
    plugins: [leaveOut(/\/ink\/build\/devtools\.js$/)],
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await bundle.generate({
    ...OUTPUT,
    format: "es",
    entryFileNames: "[name].mjs",
    codeSplitting: false,
  });
  await bundle.close();
  const own = output
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(join(ROOT, "src")));
  if (own.length !== 1) throw new Error(`the screen takes ${own.length} modules of ours with it`);
  return output;
}

async function makeLibrary([name, source]) {
  const names = Object.keys(await import(pathToFileURL(join(ROOT, source)).href));
  const exported = names.map((each) => `export const ${each} = own.${each};\n`).join("");
  const first = 'import "../bin/require-node.mjs";\n';
  return [`${name}.js`, `${first}import own from "./${name}.cjs";\n${exported}`];
}

/** Those of an earlier build go. The types are made apart. */
function writeFiles(files) {
  mkdirSync(DIST, { recursive: true });
  const names = new Set(files.map(([name]) => name));
  for (const [name, content] of files) writeFileSync(join(DIST, name), content);
  for (const entry of readdirSync(DIST, { withFileTypes: true }))
    if (entry.isFile() && !names.has(entry.name)) rmSync(join(DIST, entry.name));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  enterWorkspace();
  await buildBundles();
  await buildTypes();
}
