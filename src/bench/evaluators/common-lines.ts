// How many lines two files have in common, in the same order. Time is linear in their length: lines that are
// there once on both sides are anchors, and what lies between two anchors is compared in the same way.
import { longestIncrease } from "./longest-increase.ts";

interface Region {
  readonly before: Int32Array;
  readonly after: Int32Array;
}

/** For every line there is: how often it is on each side, and where. All 0 between two uses. */
interface Scratch {
  readonly timesBefore: Int32Array;
  readonly timesAfter: Int32Array;
  readonly placeAfter: Int32Array;
}

/** Up to so many cells the longest common sequence is found exactly, by a table. */
const SMALL = 40_000;
const DEEPEST = 8;

/** Lines are numbers below `size`, equal lines the same one. */
export function countCommonLines(before: Int32Array, after: Int32Array, size: number): number {
  const scratch: Scratch = {
    timesBefore: new Int32Array(size),
    timesAfter: new Int32Array(size),
    placeAfter: new Int32Array(size),
  };
  return countIn({ before, after }, scratch, 0);
}

function countIn(whole: Region, scratch: Scratch, depth: number): number {
  const { same, rest } = trimEnds(whole);
  const { before, after } = rest;
  if (before.length === 0 || after.length === 0) return same;
  if (before.length * after.length <= SMALL) return same + countExactly(rest);
  const anchors = depth < DEEPEST ? findAnchors(rest, scratch) : NO_ANCHORS;
  if (anchors.before.length === 0) return same + countInAnyOrder(rest, scratch);
  let common = same + anchors.before.length;
  let [from, afterFrom] = [0, 0];
  for (let next = 0; next <= anchors.before.length; next++) {
    const to = anchors.before[next] ?? before.length;
    const afterTo = anchors.after[next] ?? after.length;
    if (to > from && afterTo > afterFrom) {
      const gap = {
        before: before.subarray(from, to),
        after: after.subarray(afterFrom, afterTo),
      };
      common += countIn(gap, scratch, depth + 1);
    }
    [from, afterFrom] = [to + 1, afterTo + 1];
  }
  return common;
}

function trimEnds({ before, after }: Region): { readonly same: number; readonly rest: Region } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return {
    same: head + tail,
    rest: {
      before: before.subarray(head, before.length - tail),
      after: after.subarray(head, after.length - tail),
    },
  };
}

const NO_ANCHORS: Region = { before: new Int32Array(), after: new Int32Array() };

/** Places of lines that are there once on both sides, as many as are in the same order. */
function findAnchors({ before, after }: Region, scratch: Scratch): Region {
  const { timesBefore, timesAfter, placeAfter } = scratch;
  for (const line of before) timesBefore[line] = (timesBefore[line] ?? 0) + 1;
  for (const [at, line] of after.entries()) {
    timesAfter[line] = (timesAfter[line] ?? 0) + 1;
    placeAfter[line] = at;
  }
  const isUnique = (line: number) => timesBefore[line] === 1 && timesAfter[line] === 1;
  const afterPlaces = before.filter(isUnique);
  const places = new Int32Array(afterPlaces.length);
  let count = 0;
  for (const [at, line] of before.entries()) {
    if (!isUnique(line)) continue;
    places[count] = at;
    afterPlaces[count] = placeAfter[line] ?? 0;
    count += 1;
  }
  forget(scratch, { before, after });
  const chosen = longestIncrease(afterPlaces);
  return {
    before: chosen.map((index) => places[index] ?? 0),
    after: chosen.map((index) => afterPlaces[index] ?? 0),
  };
}

function forget({ timesBefore, timesAfter }: Scratch, { before, after }: Region): void {
  for (const line of before) timesBefore[line] = 0;
  for (const line of after) timesAfter[line] = 0;
}

/** Where nothing is unique, order says little; but what begins differently is not the same as a whole. */
function countInAnyOrder({ before, after }: Region, scratch: Scratch): number {
  const { timesBefore } = scratch;
  for (const line of before) timesBefore[line] = (timesBefore[line] ?? 0) + 1;
  let common = 0;
  for (const line of after) {
    const times = timesBefore[line] ?? 0;
    if (times === 0) continue;
    timesBefore[line] = times - 1;
    common += 1;
  }
  forget(scratch, { before, after });
  return Math.min(common, before.length === after.length ? before.length - 1 : common);
}

function countExactly({ before, after }: Region): number {
  let above = new Int32Array(after.length + 1);
  let row = new Int32Array(after.length + 1);
  for (const line of before) {
    for (let at = 0; at < after.length; at++)
      row[at + 1] =
        line === after[at] ? (above[at] ?? 0) + 1 : Math.max(row[at] ?? 0, above[at + 1] ?? 0);
    [above, row] = [row, above];
  }
  return above[after.length] ?? 0;
}
