import { expect, test } from "vitest";
import { seededRandom } from "../support/seeded-random.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runThroughKills } from "./workflow-kills.ts";

test("a run whose process is killed three times bills every call once, except those under way", async () => {
  const folder = temporaryFolder();
  const random = seededRandom(3);
  expect(await runThroughKills({ folder, calls: 50, kills: 3, random })).toBe(3);
});
