import { expect, test } from "vitest";
import { RecordedCalls } from "../../../src/workflow/engine/recorded-calls.ts";
import type { EntryKey } from "../../../src/workflow/journal/journal.ts";

type Written = readonly [path: string, status: EntryKey["status"], requested?: "retry"];

/** Entries of equal content, as they were recorded. */
const record = (...entries: readonly Written[]) =>
  new RecordedCalls(
    entries.map(([path, status, requested = null], at) => ({
      ...{ number: at + 1, kind: "agent", path, content: "same", starts: 1, status, requested },
      ordinal: entries.slice(0, at).filter(([other]) => other === path).length,
    })),
  );

test.each<[what: string, entries: readonly Written[], chosen: number | null]>([
  ["nothing", [], null],
  [
    "its own",
    [
      ["elsewhere", "done"],
      ["here", "done"],
    ],
    2,
  ],
  [
    "a finished one of elsewhere",
    [
      ["elsewhere", "done"],
      ["there", "done"],
    ],
    1,
  ],
  [
    "a finished one before its own that failed",
    [
      ["here", "failed"],
      ["there", "done"],
    ],
    2,
  ],
  [
    "a finished one before its own that was under way",
    [
      ["here", "running"],
      ["there", "done"],
    ],
    2,
  ],
  [
    "its own that was skipped",
    [
      ["here", "skipped"],
      ["there", "done"],
    ],
    1,
  ],
  [
    "its own that was under way before one that was skipped",
    [
      ["there", "skipped"],
      ["here", "running"],
    ],
    2,
  ],
  [
    "one that was skipped before another that failed",
    [
      ["there", "failed"],
      ["elsewhere", "skipped"],
    ],
    2,
  ],
  ["what was under way elsewhere", [["there", "running"]], 1],
  [
    "its own that is wanted again, though another is finished",
    [
      ["here", "done", "retry"],
      ["there", "done"],
    ],
    1,
  ],
  ["its own that is wanted again", [["here", "done", "retry"]], 1],
])("a request is answered by %s", (_, entries, chosen) => {
  const found = record(...entries).find({ path: "here", content: "same" });
  expect(found.entry?.number ?? null).toBe(chosen);
});

test("each entry answers once, whichever way it was found", () => {
  const recorded = record(["a", "done"], ["b", "done"], ["b", "running"]);
  const numbers = ["b", "c", "a", "b", "a"].map(
    (path) => recorded.find({ path, content: "same" }).entry?.number ?? null,
  );
  expect(numbers).toEqual([2, 1, 3, null, null]);
  expect(recorded.unasked).toEqual([]);
});

test("equal requests of one place are told apart by their number there", () => {
  const recorded = record();
  const ordinals = ["a", "b", "a"].map((path) => recorded.find({ path, content: "same" }).ordinal);
  expect(ordinals).toEqual([0, 0, 1]);
});

test("what nobody asked for is known at the end", () => {
  const recorded = record(["a", "done"], ["b", "failed"]);
  recorded.find({ path: "a", content: "same" });
  recorded.find({ path: "a", content: "other" });
  expect(recorded.unasked.map(({ number }) => number)).toEqual([2]);
});
