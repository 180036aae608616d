// dist/: the entry, the program behind it, and what other programs import.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { enterWorkspace, localBin, ROOT, runStep } from "./workspace.mjs";

/** What the bundled commands say about themselves is found out now, so that no start has to. */
const bundledSummaries = {
  name: "bundled-summaries",
  setup: ({ onLoad }) => {
    const file = join(ROOT, "src", "surfaces", "bundled-summaries.ts");
    onLoad({ filter: /bundled-summaries\.ts$/ }, async () => {
      const { summarizeBundled } = await import(pathToFileURL(file).href);
      const summaries = JSON.stringify(await summarizeBundled());
      return { contents: `export const summarizeBundled = async () => (${summaries});` };
    });
  },
};

/**
 * Users' files get all of zod, from a file that is read when they ask for it. The program's own schemas
 * need a sixth of it, which is bundled with them; both work on each other's schemas.
 */
const zodApart = {
  name: "zod-apart",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^zod$/ }, () => ({ path: "zod", namespace: "apart" }));
    onLoad({ filter: /.*/, namespace: "apart" }, () => ({
      contents: 'export const z = "is taken from zod.js by library.js";',
    }));
  },
};

/**
 * One CommonJS file holds the whole program; what is imported dynamically is evaluated when it is used.
 * As ES modules the same start took twice as long: a file per chunk, and `node:fs` as an ES module
 * evaluates all it can export.
 */
const CORE = `
export const main = () => import("./src/surfaces/cli/main.ts");
export const library = () => import("./src/surfaces/library.ts");
export const indexWorker = () => import("./src/load/index-worker.ts");
`;

const ENTRIES = {
  "index-worker.cjs": 'require("./core.cjs").indexWorker();\n',
  "library.js": async () => {
    const names = Object.keys(
      await import(pathToFileURL(join(ROOT, "src/surfaces/library.ts")).href),
    );
    const own = names.filter((name) => name !== "z");
    const exported = own.map((name) => `export const ${name} = library.${name};\n`);
    return `export { z } from "./zod.js";\nimport core from "./core.cjs";\nconst library = await core.library();\n${exported.join("")}`;
  },
};

export async function buildBundles() {
  const { build } = await import("esbuild");
  const dist = join(ROOT, "dist");
  const common = {
    absWorkingDir: ROOT,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node24",
    // Half the bytes to read at every start; names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "external",
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    plugins: [bundledSummaries, zodApart],
    logLevel: "warning",
  };
  const stdin = { contents: CORE, resolveDir: ROOT, sourcefile: "core.ts", loader: "ts" };
  await build({ ...common, stdin, outfile: "dist/core.cjs" });
  await build({
    ...common,
    entryPoints: ["src/surfaces/cli/entry.ts"],
    outfile: "dist/adj.cjs",
    banner: {},
    plugins: [coreApart],
    external: ["./core.cjs"],
  });
  await build({
    ...common,
    stdin: { contents: 'export { z } from "zod";', resolveDir: ROOT },
    outfile: "dist/zod.js",
    format: "esm",
    banner: {},
    plugins: [],
  });
  for (const [file, text] of Object.entries(ENTRIES))
    writeFileSync(join(dist, file), typeof text === "string" ? text : await text());
}

/** The entry alone answers `--version`, so the rest stays in a file of its own. */
const coreApart = {
  name: "core-apart",
  setup: ({ onLoad }) => {
    onLoad({ filter: /surfaces\/cli\/main\.ts$/ }, () => ({
      contents: 'export const main = async () => (await require("./core.cjs").main()).main();',
      loader: "js",
      resolveDir: ROOT,
    }));
  },
};

export function buildTypes() {
  rmSync(join(ROOT, "dist", "types"), { recursive: true, force: true });
  runStep("types", localBin("tsc"), ["-p", "tsconfig.build.json"]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  enterWorkspace();
  await buildBundles();
  buildTypes();
}
