import { expect, test } from "vitest";
import { findLate, PIECES, SAMPLE, SIZES } from "./growth.ts";

/** All of them take half an hour: they are for who names this file. */
const TRIED = process.env.ADJ_TEST_NAMED === "1" ? PIECES : SAMPLE;

test("every payload of one thing only, up to 1 MB, is answered in time", {
  timeout: 3_600_000,
}, async () => {
  const [, small = 0, whole = 0, large = 0] = SIZES;
  expect(await findLate(TRIED, { small, whole })).toEqual([]);
  expect(await findLate(TRIED, { small: whole, whole: large })).toEqual([]);
});
