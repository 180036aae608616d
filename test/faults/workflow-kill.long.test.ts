import { expect, test } from "vitest";
import { seededRandom } from "../support/seeded-random.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { SEED } from "../support/tier.ts";
import { runThroughKills } from "./workflow-kills.ts";

const KILLS = Number(process.env.ADJ_TEST_KILLS ?? 20);

test(`${KILLS} kills at random moments of runs with 100 calls bill every call once, except those under way`, async () => {
  const random = seededRandom(SEED);
  let [left, runs] = [KILLS, 0];
  while (left > 0) {
    left -= await runThroughKills({ folder: temporaryFolder(), calls: 100, kills: left, random });
    expect(++runs).toBeLessThanOrEqual(KILLS);
  }
}, 600_000);
