import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDuration, showLimit } from "../../../src/core/command/time.ts";

test.each([
  ["250ms", 250],
  ["5s", 5_000],
  ["1.5s", 1_500],
  ["10m", 600_000],
  ["2h", 7_200_000],
  ["30d", 2_592_000_000],
])("%s is %i milliseconds", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each([
  "5",
  "0s",
  "0.1ms",
  "",
  "s",
  "-5s",
  "5 s",
  " 5s",
  "5s\n",
  "5S",
  "1e3s",
  "5sec",
  "99999999999999d",
  "5constructor",
])("%j is no duration", (text) => {
  expect(parseDuration(text)).toBeNull();
});

test.each([
  [20, "20 ms"],
  [1_000, "1 s"],
  [1_500, "1500 ms"],
  [90_000, "90 s"],
  [600_000, "10 min"],
  [7_200_000, "2 h"],
])("a limit of %i milliseconds is told as %s", (limitMs, text) => {
  expect(showLimit(limitMs)).toBe(text);
});

test("whatever the text, the answer is null or a whole, positive number", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9.]{0,6}(ms|s|m|h|d)?$/));
  fc.assert(
    fc.property(text, (one) => {
      const duration = parseDuration(one);
      expect(duration === null || (Number.isSafeInteger(duration) && duration > 0)).toBe(true);
    }),
  );
});
