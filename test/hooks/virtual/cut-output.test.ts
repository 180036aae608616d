import { expect, test } from "vitest";
import { cutOutput } from "../../../src/hooks/virtual/replay.ts";

const LIMIT = 102_400;

test("what is within the limit is left alone", () => {
  const whole = Buffer.alloc(LIMIT, "x");
  expect(cutOutput(whole, () => "/f")).toEqual({ bytes: whole, isCut: false });
});

test.each(["é", "你", "🎉", "x", "a\n"])(
  "a long output of %j is cut between two characters and says where the whole is",
  (character) => {
    const whole = Buffer.from(character.repeat(LIMIT + 1));
    const { bytes, isCut } = cutOutput(whole, () => "/state/whole.stdout");
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const lines = text.trimEnd().split("\n");
    expect(isCut).toBe(true);
    expect(bytes.length).toBeLessThanOrEqual(LIMIT);
    expect(bytes.length).toBeGreaterThan(LIMIT - 300);
    expect(lines.at(-1)).toBe(
      `[cut by adj: ${whole.length} bytes in all; the whole is in /state/whole.stdout]`,
    );
    expect(text.slice(0, 1000)).toBe(whole.toString().slice(0, 1000));
  },
);

test("bytes that are no text are cut where the room ends", () => {
  const whole = Buffer.alloc(LIMIT * 2, 0x80);
  expect(cutOutput(whole, () => "/f").bytes.length).toBe(LIMIT);
});
