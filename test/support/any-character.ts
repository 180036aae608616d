import fc from "fast-check";

const [FIRST_HALF, HALVES] = [0xd800, 0x800];

/**
 * Any code point that is no half of a pair, as fast-check's own `unit: "binary"`; but that one makes a table of all 1.1 million
 * of them, which takes a second and makes the process so large that every start of a program takes longer.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - HALVES })
  .map(characterAt, (character) => {
    const code = typeof character === "string" ? character.codePointAt(0) : undefined;
    const at = code === undefined || code < FIRST_HALF ? code : code - HALVES;
    // By this it knows that texts like `__proto__`, which it likes to draw, are made of these.
    if (at === undefined || characterAt(at) !== character) throw new Error("not a character");
    return at;
  });

function characterAt(at: number): string {
  return String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES);
}
