import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countCommonLines } from "../../../src/bench/evaluators/file-lines.ts";
import { inTier } from "../../support/tier.ts";
import { gradeBy } from "./grading.ts";

describe("an expected folder", () => {
  const suite = { "want/a.txt": "1\n2\n3\n4\n" };
  test.each([
    ["1\n2\n3\n4\n", 1, "passed"],
    ["4\n3\n2\n1\n", 0.25, "failed"],
    ["1\n2\n3\n4", 0.75, "failed"],
    ["1\n2\n3\n", 6 / 7, "failed"],
    ["", 0, "failed"],
  ])("%j is %f alike", async (text, score, status) => {
    const { grade } = await gradeBy(
      "expected",
      { tree: "want" },
      { suite, after: { "a.txt": text } },
    );
    expect(grade.score).toBeCloseTo(score, 10);
    expect(grade.status).toBe(status);
  });

  const SIZE = inTier(1, 10);
  const numbers = (from: number) =>
    Array.from({ length: SIZE * 125_000 }, (_, at) => `${from + at}\n`).join("");
  test.each([
    [
      "of lines that are all the same",
      "x\n".repeat(SIZE * 500_000),
      "x\n".repeat(SIZE * 400_000),
      8 / 9,
    ],
    ["of lines that all differ", numbers(1_000_000), numbers(5_000_000), 0],
    ["that begin and end otherwise", `a\n${numbers(1_000_000)}`, `b\n${numbers(1_000_000)}c`, 1],
    ["in one line", "x".repeat(SIZE * 1_000_000), "x".repeat(SIZE * 1_000_000 + 1), 0],
    ["of bytes", "\0\u0001".repeat(SIZE * 500_000), "\0\u0001".repeat(SIZE * 500_000), 1],
  ])(
    `${SIZE} megabytes %s are compared in seconds`,
    async (_, want, after, score) => {
      const facts = { suite: { "want/a.txt": want }, after: { "a.txt": after } };
      const { grade } = await gradeBy("expected", { tree: "want" }, facts);
      expect(grade.score).toBeCloseTo(score, 4);
      expect(grade.status).toBe(want === after ? "passed" : "failed");
    },
    60_000,
  );
});

test.each([
  ["an empty file that is missing", { "a.txt": "" }, { "b.txt": "x\n" }, 0],
  ["an empty file that is there", { "a.txt": "" }, { "a.txt": "" }, 1],
  ["a file too many", { "a.txt": "1\n" }, { "a.txt": "1\n", "b.txt": "1\n" }, 2 / 3],
])("%s counts", async (_, want, after, score) => {
  const suite = Object.fromEntries(
    Object.entries(want).map(([path, text]) => [`want/${path}`, text]),
  );
  const { grade } = await gradeBy("expected", { tree: "want" }, { suite, after });
  expect(grade.score).toBeCloseTo(score, 10);
});

test("where no file is meant, nothing is said to be the same", async () => {
  const facts = { suite: { "want/a.txt": "1\n" }, after: { "a.txt": "1\n" } };
  await expect(gradeBy("expected", { tree: "want", only: ["scr/**"] }, facts)).rejects.toThrow(
    "there is no file to compare, neither expected nor there",
  );
  const gone = { ...facts, base: { "old/b.txt": "" } };
  const { grade } = await gradeBy("expected", { tree: "want", only: ["old"] }, gone);
  expect(grade.score).toBe(1);
});

describe("lines in common", () => {
  /** The longest common sequence by the book. */
  const longest = (one: readonly number[], other: readonly number[]): number => {
    let above: number[] = [];
    for (const line of one) {
      const row: number[] = [];
      for (const [at, wanted] of other.entries())
        row.push(
          line === wanted ? (above[at - 1] ?? 0) + 1 : Math.max(row[at - 1] ?? 0, above[at] ?? 0),
        );
      above = row;
    }
    return above.at(-1) ?? 0;
  };
  const lines = (most: number, maxLength: number) => fc.array(fc.nat(most), { maxLength });

  test("are the longest common sequence where files are short", () => {
    fc.assert(
      fc.property(lines(9, 60), lines(9, 60), (one, other) => {
        expect(countCommonLines(one, other)).toBe(longest(one, other));
      }),
    );
  });

  test("of long files are those that an edit leaves", () => {
    const edit = fc.tuple(fc.nat(4_999), fc.constantFrom("add", "remove", "change"));
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
        const one = Array.from({ length: 5_000 }, (_, at) => (at % 3 === 0 ? 0 : at));
        const other = [...one];
        const places = new Map(edits);
        for (const [place, kind] of [...places].toSorted(([a], [b]) => b - a))
          other.splice(place, kind === "add" ? 0 : 1, ...(kind === "remove" ? [] : [5_000]));
        const removed = [...places.values()].filter((kind) => kind !== "add").length;
        const common = countCommonLines(one, other);
        expect(common).toBe(5_000 - removed);
      }),
      { numRuns: 50 },
    );
  });

  test("of a long file turned upside down or cut in two are those still in order", () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => at);
    expect(countCommonLines(lines, lines.toReversed())).toBe(1);
    const swapped = [...lines.slice(20_000), ...lines.slice(0, 20_000)];
    expect(countCommonLines(lines, swapped)).toBe(30_000);
  });

  test("of long files that differ are never all, and never more than there are", () => {
    fc.assert(
      fc.property(lines(3, 900), lines(3, 900), (one, other) => {
        const common = countCommonLines(one, other);
        expect(common).toBeLessThanOrEqual(Math.min(one.length, other.length));
        const isEqual = one.length === other.length && one.every((line, at) => line === other[at]);
        if (one.length === other.length) expect(common === one.length).toBe(isEqual);
      }),
    );
  });
});
