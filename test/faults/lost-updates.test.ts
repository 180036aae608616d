import { expect, test } from "vitest";
import { openState } from "../../src/storage/state.ts";
import { startFixture } from "../storage/fixture-process.ts";
import { makeTemporaryFolder } from "../storage/temporary-folder.ts";

test("ten processes that each add one a thousand times end at ten thousand", async () => {
  const folder = makeTemporaryFolder();
  const processes = Array.from({ length: 10 }, () =>
    startFixture("increment.ts", { args: [folder, "1000"] }),
  );
  const codes = await Promise.all(processes.map((process) => process.ended));
  expect(codes).toEqual(Array.from({ length: 10 }, () => 0));
  const store = openState(folder);
  expect(store.readSlot("counted", "increment")).toBe(10_000);
  expect(store.list()).toMatchObject([{ id: "counted", holder: null, waiting: 0 }]);
  store.close();
}, 60_000);
