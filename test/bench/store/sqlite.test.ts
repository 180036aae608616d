import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openBench } from "../../../src/bench/store/sqlite.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { describeStore } from "./conformance.ts";
import { plansOf, runOf } from "./plans.ts";

const folder = mkdtempSync(join(tmpdir(), "adj-bench-"));
afterAll(() => removeFolder(folder));

describe("the store in a file", () => describeStore(() => openBench(folder)));

test("whoever drives a run alone may hold more than run at once", async () => {
  const store = openBench(folder);
  await store.createRun(runOf("ahead", { concurrency: 1 }), plansOf("ahead", 3), []);
  const claim = (ahead: number) =>
    store.claim({ id: "w", labels: [], now: new Date(), ahead }, "ahead");
  expect((await claim(1)).kind).toBe("claimed");
  expect((await claim(0)).kind).toBe("wait");
  expect((await claim(1)).kind).toBe("claimed");
  expect((await claim(1)).kind).toBe("wait");
  await store.close();
});
