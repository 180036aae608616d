import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countOf,
  formatClock,
  formatCost,
  formatDuration,
  formatTimestamp,
} from "../../../src/agents/log/figures.ts";

describe("a duration", () => {
  test.each([
    [0, "under 1 ms"],
    [0.4, "under 1 ms"],
    [56, "56 ms"],
    [999.9, "999 ms"],
    [1000, "1.0 s"],
    [59_999, "59.9 s"],
    [60_000, "1 min 0 s"],
    [3_599_999, "59 min 59 s"],
    [3_600_000, "1 h 0 min"],
    [90_000_000, "25 h 0 min"],
  ])("of %d ms is %s", (milliseconds, words) => {
    expect(formatDuration(milliseconds)).toBe(words);
  });
});

describe("a cost", () => {
  test.each([
    [0, "$0"],
    [0.0183412, "$0.0183"],
    [0.00000123456, "$0.00000123"],
    [0.5, "$0.5"],
    [1, "$1.00"],
    [1234.567, "$1,234.57"],
  ])("of %d is %s", (usd, words) => {
    expect(formatCost(usd)).toBe(words);
  });

  test("that is not 0 is never shown as 0", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e6, noNaN: true }), (usd) => {
        expect(formatCost(usd)).toMatch(/[1-9]/);
      }),
    );
  });
});

test("times are shown in UTC, with or without their seconds", () => {
  expect(formatTimestamp("2026-11-05T14:03:22.123Z")).toBe("2026-11-05 14:03:22 UTC");
  expect(formatTimestamp("2026-11-05T14:03Z")).toBe("2026-11-05 14:03 UTC");
  expect(formatClock("2026-11-05T14:03:22.123Z")).toBe("14:03:22");
});

test("one is singular", () => {
  expect(countOf(1, "line")).toBe("1 line");
  expect(countOf(1234, "line")).toBe("1,234 lines");
});
