import { expect, test } from "vitest";
import { findLate, PIECES, SIZES } from "./growth.ts";

test("every payload of one thing only, up to 1 MB, is answered in time", {
  timeout: 1_200_000,
}, async () => {
  const [, small = 0, whole = 0, large = 0] = SIZES;
  expect(await findLate(PIECES, { small, whole })).toEqual([]);
  expect(await findLate(PIECES, { small: whole, whole: large })).toEqual([]);
});
