import { afterAll, beforeAll, expect, it } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { EVERYDAY, isStopped, LOSING, makeScratch, type Scratch } from "./git-effects.ts";

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
    const lines = [...LOSING, ...EVERYDAY];
    const effects = dirty.run(lines);
    const through: string[] = [];
    for (const [index, line] of lines.entries()) {
      const effect = effects[index] ?? [];
      if (effect.length > 0 && !(await isStopped(line, dirty)))
        through.push(`${line}  →  ${effect.join(", ")}`);
    }
    const count = effects.filter((each) => each.length > 0).length;
    console.log(`${lines.length} lines, ${count} with an effect, ${through.length} let through`);
    expect(through).toEqual([]);
  },
  900_000,
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
