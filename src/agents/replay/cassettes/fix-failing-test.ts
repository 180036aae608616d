import type { Cassette } from "../cassette.ts";

const BROKEN = "export const add = (left, right) => left - right;\n";
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "./add.mjs";

test("two and two are four", () => assert.equal(add(2, 2), 4));
`;

/** Makes a small broken program, sees its test fail, mends it, sees it pass. */
export const fixFailingTest: Cassette = {
  adjutant: 1,
  description: "Fix the failing test",
  steps: [
    { write: { path: "add.mjs", content: BROKEN } },
    { write: { path: "add.test.mjs", content: TEST } },
    { say: "I run the test to see how it fails.", after: "400ms" },
    { shell: "node --test add.test.mjs", after: "200ms" },
    { say: "`add` subtracts. I put a plus there.", after: "600ms" },
    { edit: { path: "add.mjs", old: "left - right", new: "left + right" }, after: "200ms" },
    { shell: "node --test add.test.mjs", after: "200ms" },
    {
      say: "The test passes now: `add` in add.mjs had a minus where a plus belongs.",
      after: "400ms",
    },
  ],
  turns: 5,
  stop_reason: "end_turn",
};
