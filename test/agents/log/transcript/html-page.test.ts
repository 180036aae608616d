import { describe, expect, test } from "vitest";
import { DARK, LIGHT, type Palette } from "../../../../src/agents/log/transcript/html-page.ts";

type Colour = keyof Palette;

/** Which text stands on which ground in the style sheet. */
const TEXTS: readonly (readonly [text: Colour, ground: Colour])[] = [
  ["text", "page"],
  ["text", "card"],
  ["text", "code"],
  ["quiet", "page"],
  ["quiet", "card"],
  ["good", "goodGround"],
  ["bad", "badGround"],
  ["bad", "card"],
];

describe.each([
  ["light", LIGHT],
  ["dark", DARK],
] as const)("%s", (_, palette) => {
  test.each(TEXTS)("%s can be read on %s (WCAG AA)", (text, ground) => {
    expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(["page", "card"] as const)("the focus can be seen on %s", (ground) => {
    expect(contrast(palette.focus, palette[ground])).toBeGreaterThanOrEqual(3);
  });
});

/** WCAG 2.2: the ratio of the relative luminances. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("the measure is the one of WCAG", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});
