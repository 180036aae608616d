import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines } from "../../../src/core/project/line-diff.ts";

/** What a diff makes of a text, by its line numbers. */
function apply(before: string, diff: string): string {
  const lines = before.split("\n").slice(0, -1);
  let shift = 0;
  for (const hunk of diff.split(/^(?=@@)/m).filter((part) => part !== "")) {
    const [head = "", ...body] = hunk.split("\n").slice(0, -1);
    const [start = 0, length = 0] = (/-(\d+),(\d+)/.exec(head) ?? []).slice(1).map(Number);
    const from = start - (length === 0 ? 0 : 1) + shift;
    const side = (other: string) => body.filter((l) => !l.startsWith(other)).map((l) => l.slice(1));
    expect(lines.slice(from, from + length)).toEqual(side("+"));
    lines.splice(from, length, ...side("-"));
    shift += side("-").length - length;
  }
  return lines.map((line) => `${line}\n`).join("");
}

const text = fc
  .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 0, maxLength: 25 })
  .map((lines) => lines.map((line) => `${line}\n`).join(""));

test("a diff turns the one text into the other", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(apply(before, diffLines(before, after))).toBe(after);
    }),
    { numRuns: 500 },
  );
});

test("a change is shown with three lines around it and the numbers of its lines", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  expect(diffLines(before, before.replace("5\n", "five\n"))).toBe(
    "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
});

test("a new text is all added and a missing line break is said", () => {
  expect(diffLines("", "a\nb")).toBe("@@ -0,0 +1,3 @@\n+a\n+b\n+\\ no line break at the end\n");
});

test("texts with nothing in common are one replacing the other, soon", () => {
  const lines = (prefix: string) =>
    Array.from({ length: 20_000 }, (_, at) => `${prefix}${at}\n`).join("");
  const diff = diffLines(lines("a"), lines("b"));
  expect(apply(lines("a"), diff)).toBe(lines("b"));
});
