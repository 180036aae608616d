// Values that have the form of a secret and are none: drawn by a fixed seed.
import { BYTE_CLASSES, fillByteClasses } from "../../../src/core/secrets/byte-classes.ts";

let state = 20_261_117;

/** The next of a fixed sequence below a limit. */
function draw(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return (state >>> 8) % below;
}

const ALPHABETS: Readonly<Record<string, string>> = {
  d: "0123456789",
  h: "0123456789abcdef",
  n: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  u: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  b: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  A: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
};

function drawText(letter: string, length: number): string {
  const alphabet = ALPHABETS[letter] ?? "";
  // Long parts of base64 for URLs have their two further characters now and then, never at an end.
  const drawOne = (_: unknown, at: number) =>
    letter === "u" && at % 23 === 11 ? "_" : alphabet.charAt(draw(alphabet.length));
  return Array.from({ length }, drawOne).join("");
}

/** `ghp_ n36` as `ghp_` and 36 letters and digits. */
export const drawSecret = (form: string): string =>
  form
    .split(" ")
    .map((word) => {
      const [, letter = "", length] = /^([dhnubA])(\d+)$/.exec(word) ?? [];
      return length === undefined ? word : drawText(letter, Number(length));
    })
    .join("");

/** So many characters of a class, a digit first, so that no demand for one is missed. */
export function drawFrom(byteClass: number, length: number): string {
  fillByteClasses();
  const members = [...(ALPHABETS.n ?? "")].filter(
    (char) => ((BYTE_CLASSES[char.charCodeAt(0)] ?? 0) & byteClass) !== 0,
  );
  return Array.from({ length }, (_, at) => (at === 0 ? "7" : members[draw(members.length)])).join(
    "",
  );
}
