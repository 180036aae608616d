// The two tiers. `npm test` draws by a fixed seed and repeats little, so that it fails only for a change; `npm run test:long`
// draws anew, repeats much, and prints how to draw the same once more.
import { randomInt } from "node:crypto";
import { configureGlobal } from "fast-check";
import { test } from "vitest";

const FIXED = 20_261_116;

const isLong = process.env.ADJ_TEST_TIER === "long";

/** How often, how many, how large: a number for `npm test`, and the whole one for `npm run test:long`. */
export const inTier = <Value>(quick: Value, long: Value): Value => (isLong ? long : quick);

/** Of a long table every fifth case when all quick tests run; all of them in the long tier, and where a path is named. */
export const sampled = <const Case>(cases: readonly Case[]): readonly Case[] =>
  isLong || process.env.ADJ_TEST_NAMED === "1"
    ? cases
    : cases.filter((_, index) => index % 5 === 0);

/** For what waits for seconds; something quicker of the same behaviour stays beside it. */
export const longTest = test.runIf(isLong);

function chooseSeed(): number {
  const { ADJ_TEST_SEED } = process.env;
  if (ADJ_TEST_SEED !== undefined) return Number(ADJ_TEST_SEED);
  return isLong ? randomInt(2 ** 31) : FIXED;
}

/** For tests that draw by themselves; property tests draw by it in any case. */
export const SEED = chooseSeed();

/** Of a table of which each line takes half a second every fourth, from where the seed says; all where a path is named. */
export const drawn = <const Case>(cases: readonly Case[]): readonly Case[] =>
  process.env.ADJ_TEST_NAMED === "1" ? cases : cases.filter((_, at) => at % 4 === SEED % 4);

configureGlobal({ seed: SEED });
if (isLong) console.info(`drawn by seed ${SEED}: repeat with ADJ_TEST_SEED=${SEED}`);
