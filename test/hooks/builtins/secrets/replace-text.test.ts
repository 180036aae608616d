import fc from "fast-check";
import { expect, test } from "vitest";
import { EditWork, replaceText } from "../../../../src/hooks/builtins/secrets/replace-text.ts";
import { SEED } from "../../../support/tier.ts";

const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom("a", "b"), maxLength });

test("an edit makes of a text what the language's own replacing does", () => {
  fc.assert(
    fc.property(
      fc.array(letters(40), { maxLength: 8 }),
      letters(24),
      fc.string(),
      fc.boolean(),
      (parts, piece, now, isAll) => {
        const old = `a${piece}`;
        const text = parts.join(old);
        const wanted = isAll ? text.replaceAll(old, () => now) : text.replace(old, () => now);
        expect(replaceText(text, { old, now, isAll }, new EditWork())).toBe(wanted);
      },
    ),
    { seed: SEED, numRuns: 2_000 },
  );
});

test("a piece that nearly stands everywhere is not there", () => {
  // By `indexOf` this takes more than a minute.
  const half = "a".repeat(80_000);
  const text = "a".repeat(1_600_000);
  const edit = { old: `${half}b${half}`, now: "", isAll: true };
  expect(replaceText(text, edit, new EditWork())).toBe(text);
});

test("more than can be looked through in time is not begun", () => {
  const edit = { old: "a", now: "b".repeat(1_000_000), isAll: true };
  expect(() => replaceText("a".repeat(100), edit, new EditWork())).toThrow(/make fewer at once/);
});
