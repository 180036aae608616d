// What the build does besides bundling.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./workspace.mjs";

/** What the bundled commands say about themselves is found out now, so that no start has to. */
export const bundledSummaries = {
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

/** The tour runs the example suite, also where there is no checkout. */
export const exampleFiles = {
  name: "example-files",
  setup: ({ onLoad }) => {
    const file = join(ROOT, "src", "commands", "tour", "bench-files.ts");
    onLoad({ filter: /tour\/bench-files\.ts$/ }, async () => {
      const { readBenchFiles } = await import(pathToFileURL(file).href);
      const files = JSON.stringify(readBenchFiles());
      return { contents: `export const readBenchFiles = () => (${files});` };
    });
  },
};

/**
 * Users' files get all of zod, from a file that is read when they ask for it. The program's own schemas
 * need a sixth of it, which is bundled with them; both work on each other's schemas.
 */
export const zodApart = {
  name: "zod-apart",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^zod$/ }, () => ({ path: "zod", namespace: "apart" }));
    onLoad({ filter: /.*/, namespace: "apart" }, () => ({
      contents: 'export const z = "is taken from zod.js by library.js";',
    }));
  },
};

/** Imports that match are taken from another file of dist/. */
export const partsApart = (parts) => ({
  name: "parts-apart",
  setup: ({ onResolve }) => {
    for (const [path, filter] of Object.entries(parts))
      onResolve({ filter }, ({ kind }) =>
        kind === "entry-point" ? null : { path, external: true },
      );
  },
});

/** A function of a module in `src/surfaces/` is taken from another file of dist/, which is read when it is called. */
export const elsewhere = ({ module, file, opener, name }) => ({
  name: `elsewhere-${name}`,
  setup: ({ onLoad, onResolve }) => {
    const path = `./${file}.cjs`;
    const held = `require("${path}")${opener === null ? "" : `.${opener}()`}`;
    onResolve({ filter: /^\.\/\w+\.cjs$/ }, (asked) =>
      asked.path === path ? { path, external: true } : null,
    );
    onLoad({ filter: new RegExp(`/surfaces/${module}\\.ts$`) }, () => ({
      contents: `export const ${name} = async (...words) => (await ${held}).${name}(...words);`,
      loader: "js",
      resolveDir: ROOT,
    }));
  },
});
