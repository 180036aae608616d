// Three tiers: `npm test` is quick and draws no lots; `npm run test:long` kills, soaks and draws anew; `npm run test:agents`
// drives the real agent CLIs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

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

/** The longest, to begin with: in a fresh clone nothing is known of them, and the last one would be waited for alone. */
const FIRST = [
  "test/docs/pages.test.ts",
  "test/hooks/virtual/virtual-commands.test.ts",
  "test/program/send.test.ts",
  "test/program/workflow.test.ts",
  "test/bench/run/comparing.test.ts",
  "test/bench/run/reuse.test.ts",
  "test/setup/doctor/doctor.test.ts",
  "test/markdown/commands/sync.test.ts",
  "test/program/hostile.test.ts",
  "test/program/layers.test.ts",
  "test/hooks/resident/client.test.ts",
  "test/program/examples-commands.test.ts",
  "test/hooks/resident/workers.test.ts",
  "test/hooks/pipeline/growth.test.ts",
  "test/hooks/builtins/git-effects.long.test.ts",
  "test/hooks/builtins/protect-paths-effects.long.test.ts",
  "test/hooks/builtins/rm.long.test.ts",
];

// One that was moved would lose its place or its own process without a word.
for (const path of [...APART, ...FIRST].map((path) => path.replace(/\/\*\*$/, "")))
  if (!existsSync(join(import.meta.dirname, path)))
    throw new Error(`vitest.config.ts names \`${path}\`, which is not there`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) =>
      FIRST.some((file) => moduleId.endsWith(`/${file}`));
    const sorted = await super.sort(files);
    // Each project stays together.
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap((all) => [
      ...all.filter(isFirst),
      ...all.filter((file) => !isFirst(file)),
    ]);
  }
}

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

// It ends a test that hangs, and nothing else: a dozen starts of the program in a row took longer than half of it on two cores
// with thirty processes waiting for them.
const QUICK_BOUND_MS = 60_000;

// More than two cores: most tests wait for processes that they started; the longer ones start more of them at once.
const WORKERS = process.argv.some((word) => word.startsWith("quick")) ? 5 : 3;

export default defineConfig({
  test: {
    maxWorkers: isWriting ? 1 : WORKERS,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, LONG, LIVE, ...APART],
          setupFiles: quickSetup,
          isolate: false,
          testTimeout: QUICK_BOUND_MS,
        },
      },
      {
        test: {
          ...common,
          name: "quick-apart",
          include: APART.map((path) => path.replace(/\*\*$/, "**/*.test.ts")),
          exclude: [...configDefaults.exclude, LONG],
          testTimeout: QUICK_BOUND_MS,
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
