// Lines that were run for real once, see the long tier; here every one is decided on, and what passes is run.

import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { readLines } from "./fixtures/read-lines.ts";
import { bash, openGuards } from "./guarded-project.ts";
import { openProtected, PROTECTING } from "./protected-scratch.ts";

const scratch = openProtected();
afterAll(() => scratch.remove());

/** What a guard cannot see, as the page on security says. */
const UNSEEN = new Set(readLines("protect-unseen.txt"));
const sample = readLines("protect-lines.txt").filter(
  (line, index) => index % 17 === 0 && !UNSEEN.has(line),
);

it.runIf(hasBubblewrap)("no line that passes touches a protected file", async () => {
  const stateDir = join(scratch.base, "../state");
  const decide = await openGuards({ ...scratch, stateDir, hooks: PROTECTING });
  const unasked: string[] = [];
  for (const line of sample) {
    const { answer } = await decide(bash(line));
    if (answer !== "pass") continue;
    if (scratch.effectsOf(line).length > 0) unasked.push(line);
    scratch.reset();
  }
  expect(unasked).toEqual([]);
});
