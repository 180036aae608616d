// Lines that an agent would switch its guards off with, see the long tier; here a part is decided on, and what passes is run.
import { afterAll, expect, it } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { sampled } from "../../support/tier.ts";
import { readLines } from "./fixtures/read-lines.ts";
import { bash } from "./guarded-project.ts";
import { guardSelf, openSelf } from "./self-scratch.ts";

const scratch = openSelf();
afterAll(() => scratch.remove());
const decide = await guardSelf(scratch);

/** What git does to a whole tree, and names that code puts together: the page on security says so. */
const UNSEEN = new Set(readLines("self-unseen.txt"));

it.runIf(hasBubblewrap)("no line that passes changes what keeps guards in force", async () => {
  const unasked: string[] = [];
  const lines = readLines("self-lines.txt").filter((line) => !UNSEEN.has(line));
  for (const line of lines.filter((_, index) => index % 7 === 0)) {
    const { answer } = await decide(bash(line));
    if (answer === "pass" && scratch.effectsOf(line).length > 0) unasked.push(line);
  }
  expect(unasked).toEqual([]);
});

it("no line passes that would do so with programs that are not here", async () => {
  const passed: string[] = [];
  for (const line of sampled(readLines("self-answers.txt")))
    if ((await decide(bash(line))).answer === "pass") passed.push(line);
  expect(passed).toEqual([]);
});

it("everyday lines beside it are let pass", async () => {
  const stopped: string[] = [];
  for (const line of sampled(readLines("self-everyday.txt"))) {
    const { answer, reason } = await decide(bash(line));
    if (answer !== "pass") stopped.push(`${line}: ${reason}`);
  }
  expect(stopped).toEqual([]);
});
