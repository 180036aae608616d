import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("./dispatch-in-bulk.ts", import.meta.url));
const MEGABYTE = 1024 * 1024;

test("20,000 dispatches leave nothing behind in memory", { timeout: 180_000 }, async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--expose-gc", SCRIPT]);
  const { isMeasured, count, growth } = JSON.parse(stdout);
  expect({ isMeasured, count }).toEqual({ isMeasured: true, count: 20_000 });
  // A hundred bytes kept for each would be two megabytes.
  expect(growth).toBeLessThan(2 * MEGABYTE);
});
