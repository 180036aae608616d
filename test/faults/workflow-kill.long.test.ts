import { expect, test } from "vitest";
import { seededRandom } from "../support/seeded-random.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { SEED } from "../support/tier.ts";
import { runThroughKills } from "./workflow-kills.ts";

const KILLS = Number(process.env.ADJ_TEST_KILLS ?? 20);
const MAX_LIFE_MS = 120;

test(`${KILLS} kills at random moments of runs with 100 calls bill every call once, except those under way`, async () => {
  const random = seededRandom(SEED);
  const decideLife = () => ({ calls: 1, ms: random() * MAX_LIFE_MS });
  let [left, runs] = [KILLS, 0];
  while (left > 0) {
    const plan = { folder: temporaryFolder(), calls: 100, callMs: 5, kills: left, decideLife };
    left -= await runThroughKills(plan);
    expect(++runs).toBeLessThanOrEqual(KILLS);
  }
}, 600_000);
