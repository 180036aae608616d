import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { drawn } from "../../support/tier.ts";
import { GUARDING, openDeletable } from "./deletable-scratch.ts";
import { readLines } from "./fixtures/read-lines.ts";
import { bash, openGuards } from "./guarded-project.ts";

const scratch = openDeletable();
afterAll(() => scratch.remove());

/** Overwriting is editing: a file that an editor empties is not looked at. */
const UNSEEN = new Set(readLines("rm-unseen.txt"));

it.runIf(hasBubblewrap)(
  "every line that loses something is asked about or refused",
  { timeout: 900_000 },
  async () => {
    const lost: string[] = [];
    const figures = { lines: 0, losses: 0, askedWithoutLoss: 0, knownGaps: 0 };
    for (const [index, line] of drawn(readLines("rm-lines.txt")).entries()) {
      const stateDir = join(scratch.base, "../state");
      const decide = await openGuards({
        ...scratch,
        stateDir,
        hooks: GUARDING,
        session: `line ${index}`,
      });
      const { answer } = await decide(bash(line));
      const losses = scratch.lossesOf(line);
      scratch.reset();
      figures.lines++;
      if (losses.length > 0) figures.losses++;
      else if (answer !== "pass") figures.askedWithoutLoss++;
      if (losses.length === 0 || answer !== "pass") continue;
      if (UNSEEN.has(line)) figures.knownGaps++;
      else lost.push(`${line}: ${losses.join(", ")}`);
    }
    console.info({ ...figures, otherwiseLost: lost.length });
    expect(lost).toEqual([]);
  },
);
