import { afterAll, beforeAll, expect, it } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { drawn } from "../../support/tier.ts";
import { EVERYDAY, isStopped, LOSING, makeScratch, type Scratch, UNSEEN } from "./git-effects.ts";

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

it.runIf(hasBubblewrap)(
  "every line that loses something, moves what others have or starts a program is asked or refused",
  async () => {
    const lines = drawn([...LOSING, ...EVERYDAY]);
    const effects = dirty.run(lines);
    const through: string[] = [];
    const gaps: string[] = [];
    for (const [index, line] of lines.entries()) {
      const effect = effects[index] ?? [];
      if (effect.length === 0 || (await isStopped(line, dirty))) continue;
      (UNSEEN.has(line) ? gaps : through).push(`${line}  →  ${effect.join(", ")}`);
    }
    const count = effects.filter((each) => each.length > 0).length;
    const passed = `${gaps.length} known gaps, ${through.length} others`;
    console.log(`${lines.length} lines, ${count} with an effect; let through: ${passed}`);
    expect(through).toEqual([]);
    // A gap that was closed goes from the list.
    expect(gaps).toHaveLength(lines.filter((line) => UNSEEN.has(line)).length);
  },
  1_500_000,
);

it.runIf(hasBubblewrap)(
  "everyday lines are not asked about",
  async () => {
    const asked: string[] = [];
    for (const line of EVERYDAY)
      for (const [kind, scratch] of Object.entries({ dirty, clean }))
        if (await isStopped(line, scratch)) asked.push(`${kind}: ${line}`);
    expect(asked).toEqual([]);
  },
  300_000,
);
