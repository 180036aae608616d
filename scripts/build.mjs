// dist/: one file per surface with what it always needs, everything else in chunks that load when used.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { enterWorkspace, localBin, ROOT, runStep } from "./workspace.mjs";

export async function buildBundles() {
  const { build } = await import("esbuild");
  rmSync(join(ROOT, "dist"), { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: {
      adj: "src/surfaces/cli/entry.ts",
      library: "src/surfaces/library.ts",
      "index-worker": "src/load/index-worker.ts",
    },
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    // Flat, so that `new URL("./library.js", import.meta.url)` is right in every chunk.
    chunkNames: "[name]-[hash]",
    // The ES build of yaml needs no `require`, which a bundled ES module does not have.
    alias: { yaml: "./node_modules/yaml/browser/index.js" },
    logLevel: "warning",
  });
}

export function buildTypes() {
  runStep("types", localBin("tsc"), ["-p", "tsconfig.build.json"]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  enterWorkspace();
  await buildBundles();
  buildTypes();
}
