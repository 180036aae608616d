import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cutText,
  displayWidth,
  formatTable,
  plainLine,
  wrapToWidth,
} from "../../../src/core/terminal/text-columns.ts";

describe("the width of a text", () => {
  test.each([
    ["", 0],
    ["plain", 5],
    ["größe", 5],
    ["日本", 4],
    ["e\u0301", 1],
    ["🚀", 2],
  ])("%j takes %i cells", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

test("controls, escapes and direction marks do not reach the terminal", () => {
  expect(plainLine("a\u001b[31mb\nc\u202ed")).toBe("a\\u{1b}[31mb c\\u{202e}d");
});

describe("cutting", () => {
  test.each([
    ["deploy", 6, "end", "deploy"],
    ["deployment", 6, "end", "deplo…"],
    ["/a/long/path.ts", 8, "start", "…path.ts"],
    ["日本語", 4, "end", "日…"],
  ] as const)("%j to %i cells from the %s gives %j", (text, width, from, cut) => {
    expect(cutText(text, width, from)).toBe(cut);
  });

  test("never gives more cells than asked for", () => {
    const text = fc.string({ unit: "grapheme" }).map(plainLine);
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (some, width) => {
        expect(displayWidth(cutText(some, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

test("wrapping keeps every word, in order, and every line within the width where words allow", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 });
  fc.assert(
    fc.property(words, fc.integer({ min: 12, max: 60 }), (some, width) => {
      const lines = wrapToWidth(some.join(" "), width);
      expect(lines.join(" ")).toBe(some.join(" "));
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});

describe("a table", () => {
  const columns = [{ title: "NAME" }, { title: "TEXT", least: 6 }, { title: "NOTE" }];

  test("aligns its columns and leaves out one without a value", () => {
    const rows = [
      ["a", "short", ""],
      ["longer", "日本", ""],
    ];
    expect(formatTable(columns, rows, null)).toEqual([
      "NAME    TEXT",
      "a       short",
      "longer  日本",
    ]);
  });

  test("cuts only the columns that may be cut, and only as far as they may", () => {
    const rows = [["deploy", "a text that is too long", "kept"]];
    expect(formatTable(columns, rows, 24)).toEqual([
      "NAME    TEXT        NOTE",
      "deploy  a text th…  kept",
    ]);
    expect(formatTable(columns, rows, 10)[1]).toBe("deploy  a tex…  kept");
  });

  test("breaks no row for a line break in a cell", () => {
    expect(formatTable([{ title: "A" }], [["one\ntwo"]], null)).toEqual(["A", "one two"]);
  });
});
