// Three tiers: `npm test` is quick and draws no lots; `npm run test:long` kills, soaks and draws anew; `npm run test:agents`
// drives the real agent CLIs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

const LONG = "test/**/*.long.test.ts";
const LIVE = "test/live/**/*.test.ts";

/** Quick tests that need a process of their own; all others take the next free one, with the modules that it has loaded. */
const APART = [
  // It measures the processor time of its process.
  "test/hooks/pipeline/growth.test.ts",
  // They look at what their process started, and at its signals.
  "test/core/process/**",
  // A thread is made to use all the memory there is.
  "test/hooks/resident/workers.test.ts",
  // They exchange a module.
  "test/session/commands/**",
];

/** Tests that draw, repeat or wait: little and by a fixed seed in the quick tier, much and by a fresh one in the long. */
const inBothTiers = readdirSync(join(import.meta.dirname, "test"), { recursive: true })
  .map((file) => join("test", String(file)))
  .filter((file) => file.endsWith(".test.ts") && !file.startsWith(join("test", "live")))
  .filter((file) =>
    /fast-check|support\/tier/.test(readFileSync(join(import.meta.dirname, file), "utf8")),
  );

// Each agent writes its own section of one page.
const isWriting = process.argv.some((word) => word === "-u" || word === "--update");

const setupFiles = ["test/support/tier.ts"];
const quickSetup = [...setupFiles, "test/support/shared-process.ts"];
// Many tests start processes and threads from source: what Node compiled for one of them serves the next.
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "compiled") };
const common = { pool: "forks", hookTimeout: 60_000, setupFiles, env } as const;

// More than two cores: most tests wait for processes that they started; the longer ones start more of them at once.
const WORKERS = process.argv.some((word) => word.startsWith("quick")) ? 4 : 3;

export default defineConfig({
  test: {
    maxWorkers: isWriting ? 1 : WORKERS,
    projects: [
      {
        test: {
          ...common,
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, LONG, LIVE, ...APART],
          setupFiles: quickSetup,
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...common,
          name: "quick-apart",
          include: APART.map((path) => path.replace(/\*\*$/, "**/*.test.ts")),
          exclude: [...configDefaults.exclude, LONG],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...common,
          name: "long",
          include: [LONG, ...inBothTiers],
          env: { ...env, ADJ_TEST_TIER: "long" },
          testTimeout: 180_000,
        },
      },
      {
        test: { ...common, name: "live", include: [LIVE], testTimeout: 120_000 },
      },
    ],
  },
});
