// A sample of the lines that the long test runs whole.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { sampled } from "../../support/tier.ts";
import {
  EVERYDAY,
  isStopped,
  LOSING,
  makeScratch,
  type Scratch,
  UNDESCRIBED,
  UNSEEN,
} from "./git-effects.ts";

const everyNth = (lines: readonly string[], step: number): string[] =>
  lines.filter((_, index) => index % step === 0);

const SAMPLE = everyNth(LOSING, 200).filter((line) => !UNSEEN.has(line));

let dirty: Scratch;
let clean: Scratch;
beforeAll(() => {
  dirty = makeScratch("dirty");
  clean = makeScratch("clean");
});
afterAll(() => {
  dirty.remove();
  clean.remove();
});

// Every line is run in a copy of the repository, whose whole state is read: some hundred processes in one test.
it.runIf(hasBubblewrap)(
  "what loses something when it is run is asked or refused",
  {
    timeout: 120_000,
  },
  async () => {
    const effects = dirty.run(SAMPLE);
    const through: string[] = [];
    for (const [index, line] of SAMPLE.entries())
      if ((effects[index]?.length ?? 0) > 0 && !(await isStopped(line, dirty))) through.push(line);
    expect(through).toEqual([]);
    // A scratch repository with nothing to lose would show nothing.
    expect(effects.filter((each) => each.length > 0).length).toBeGreaterThan(SAMPLE.length / 3);
  },
);

it("what a program that no table describes is told to run is read", async () => {
  const through: string[] = [];
  for (const line of sampled(UNDESCRIBED)) if (!(await isStopped(line, dirty))) through.push(line);
  expect(through).toEqual([]);
  expect(await isStopped("hyperfine 'git status' && entr git log", dirty)).toBe(false);
});

it.each(everyNth(EVERYDAY, 29))("everyday work is let pass: %s", async (line) => {
  expect(await isStopped(line, dirty)).toBe(false);
});

describe("what would lose changes is let pass where there are none", () => {
  it.each<[string]>([
    ["git checkout ."],
    ["git checkout a.txt"],
    ["git restore dir"],
    ["git reset --hard"],
    ["git branch -D merged"],
    ["git stash drop"],
  ])("%s", async (line) => {
    expect(await isStopped(line, clean)).toBe(false);
    expect(
      await isStopped(`touch x && git rebase main && ${line} && echo done > a.txt`, clean),
    ).toBe(true);
  });
});

it("a word that is a branch and a file with changes is neither", async () => {
  expect(await isStopped("git checkout topic", dirty)).toBe(false);
  expect(await isStopped("git checkout dir", dirty)).toBe(true);
});
