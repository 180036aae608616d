import { expect, test } from "vitest";
import { shortenOutput } from "../../../../src/workflow/engine/stages/stage-run.ts";

test("of a long output the end is shown, with the number of characters that are left out", () => {
  const whole = `${"x".repeat(30_000)}the reason`;
  const [note, ...shown] = shortenOutput(`\n${whole}\n`).split("\n");
  const end = shown.join("\n");
  expect(note).toBe(`[${whole.length - end.length} characters before this are left out]`);
  expect(end.length).toBe(20_000);
  expect(whole.endsWith(end)).toBe(true);
  expect(shortenOutput(` ${end}\n`)).toBe(end);
});
