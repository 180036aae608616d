import { afterAll, expect, it } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { drawn } from "../../support/tier.ts";
import { readLines } from "./fixtures/read-lines.ts";
import { bash } from "./guarded-project.ts";
import { guardSelf, openSelf } from "./self-scratch.ts";

const scratch = openSelf();
afterAll(() => scratch.remove());

const UNSEEN = new Set(readLines("self-unseen.txt"));

it.runIf(hasBubblewrap)(
  "every line that changes what keeps guards in force, or calls for what is a person's, is asked about or refused",
  { timeout: 900_000 },
  async () => {
    const decide = await guardSelf(scratch);
    const unasked: string[] = [];
    const figures = { lines: 0, effects: 0, stoppedWithoutEffect: 0, knownGaps: 0 };
    for (const line of drawn(readLines("self-lines.txt"))) {
      scratch.reset();
      const { answer } = await decide(bash(line));
      const effects = scratch.effectsOf(line);
      figures.lines++;
      if (effects.length > 0) figures.effects++;
      else if (answer !== "pass") figures.stoppedWithoutEffect++;
      if (effects.length === 0 || answer !== "pass") continue;
      if (UNSEEN.has(line)) figures.knownGaps++;
      else unasked.push(`${line}: ${effects.join(", ")}`);
    }
    console.info({ ...figures, otherwiseUnasked: unasked.length });
    expect(unasked).toEqual([]);
  },
);
