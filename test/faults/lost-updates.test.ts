import { expect, test } from "vitest";
import { openState } from "../../src/core/store/state.ts";
import { startFixture } from "../core/store/fixture-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { inTier } from "../support/tier.ts";

const PROCESSES = inTier(5, 10);
const TIMES = inTier(20, 1_000);

test(`${PROCESSES} processes that each add one, over and over, lose none`, async () => {
  const folder = temporaryFolder();
  const processes = Array.from({ length: PROCESSES }, () =>
    startFixture("increment.ts", { args: [folder, String(TIMES)] }),
  );
  const codes = await Promise.all(processes.map((process) => process.ended));
  expect(codes).toEqual(Array.from({ length: PROCESSES }, () => 0));
  const store = openState(folder);
  expect(store.readSlot("counted", "increment")).toBe(PROCESSES * TIMES);
  expect(store.list()).toMatchObject([{ id: "counted", holder: null, waiting: 0 }]);
  store.close();
});
