// The real agent CLIs; run by `npm run test:agents`.
import { defineConfig } from "vitest/config";

// Each agent writes its own section of one page.
const isWriting = process.argv.some((word) => word === "-u" || word === "--update");

export default defineConfig({
  test: {
    include: ["test/agents/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: "forks",
    // They wait more than they work.
    maxWorkers: isWriting ? 1 : 2,
  },
});
