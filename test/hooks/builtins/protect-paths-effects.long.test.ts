import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { drawn } from "../../support/tier.ts";
import { readLines } from "./fixtures/read-lines.ts";
import { bash, openGuards } from "./guarded-project.ts";
import { openProtected, PROTECTING } from "./protected-scratch.ts";

const scratch = openProtected();
afterAll(() => scratch.remove());

/** Documented: what git keeps is its own guard's business, and code that names no protected path is not seen. */
const UNSEEN = new Set(readLines("protect-unseen.txt"));

it.runIf(hasBubblewrap)(
  "every line that touches a protected file is asked about or refused",
  {
    timeout: 900_000,
  },
  async () => {
    const stateDir = join(scratch.base, "../state");
    const decide = await openGuards({ ...scratch, stateDir, hooks: PROTECTING });
    const unasked: string[] = [];
    const figures = { lines: 0, effects: 0, askedWithoutEffect: 0, knownGaps: 0 };
    for (const line of drawn(readLines("protect-lines.txt"))) {
      scratch.reset();
      const { answer } = await decide(bash(line));
      const effects = scratch.effectsOf(line);
      figures.lines++;
      if (effects.length > 0) figures.effects++;
      if (effects.length === 0 && answer !== "pass") figures.askedWithoutEffect++;
      if (effects.length === 0 || answer !== "pass") continue;
      if (UNSEEN.has(line)) figures.knownGaps++;
      else unasked.push(`${line}: ${effects.join(", ")}`);
    }
    console.info({ ...figures, otherwiseUnasked: unasked.length });
    expect(unasked).toEqual([]);
  },
);
