import { expect, test } from "vitest";
import { findLate, PIECES, SAMPLE, SIZES } from "./growth.ts";

test("payloads of one thing only are answered in time that grows no faster than they do", {
  timeout: 120_000,
}, async () => {
  const [, small = 0, whole = 0] = SIZES;
  expect(PIECES).toEqual(expect.arrayContaining(SAMPLE));
  // Half of what the long test takes: what is quadratic takes far too long for that as well.
  const half = { small: small / 2, whole: whole / 2 };
  const shelled = SAMPLE.filter((_, at) => at % 2 === 0);
  expect(await findLate(shelled, { ...half, ways: ["shell"] })).toEqual([]);
  const some = SAMPLE.filter((_, at) => at % 10 === 0);
  expect(await findLate(some, half)).toEqual([]);
});
