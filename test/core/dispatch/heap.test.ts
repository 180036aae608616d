import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { inTier } from "../../support/tier.ts";

const SCRIPT = fileURLToPath(new URL("./dispatch-in-bulk.ts", import.meta.url));
const MEGABYTE = 1024 * 1024;

const COUNT = inTier(1_500, 20_000);

test(`${COUNT} dispatches leave nothing behind in memory`, { timeout: 180_000 }, async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--expose-gc", SCRIPT, String(COUNT)]);
  const { isMeasured, count, growth } = JSON.parse(stdout);
  expect({ isMeasured, count }).toEqual({ isMeasured: true, count: COUNT });
  // A hundred bytes kept for each of twenty thousand would be two megabytes.
  expect(growth).toBeLessThan(2 * MEGABYTE);
});
