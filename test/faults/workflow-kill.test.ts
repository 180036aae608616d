import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runThroughKills } from "./workflow-kills.ts";

test("a run whose process is killed three times bills every call once, except those under way", async () => {
  const decideLife = () => ({ calls: 10, ms: 0 });
  const plan = { folder: temporaryFolder(), calls: 100, callMs: 30, kills: 3, decideLife };
  expect(await runThroughKills(plan)).toBe(3);
});
