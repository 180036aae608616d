import { expect, test } from "vitest";
import { findLate, PIECES, SIZES } from "./growth.ts";

/** Those on which something was once slower than linear, and one of each kind. */
const SAMPLE = [
  ...['"', "\\", "${", "[", "a ", "rm ", "cp a b;", "*/", "http://", "echo $((", "rm №;"],
  ...["git commit -m №;", "git push a "],
];

test("payloads of one thing only are answered in time that grows no faster than they do", {
  timeout: 120_000,
}, async () => {
  const [, small = 0, whole = 0] = SIZES;
  expect(PIECES).toEqual(expect.arrayContaining(SAMPLE));
  // Half of what the long test takes: what is quadratic takes far too long for that as well.
  expect(await findLate(SAMPLE, { small: small / 2, whole: whole / 2 })).toEqual([]);
});
