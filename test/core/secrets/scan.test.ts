// The scanner's work grows with the text and with nothing else, counted in bytes looked at, not in time.
import { expect, test } from "vitest";
import { maskSecrets, scanSecrets } from "../../../src/core/secrets/mask.ts";
import { createScanner } from "../../../src/core/secrets/scan.ts";
import { readVendorRows } from "../../../src/core/secrets/vendor-forms.ts";
import { inTier } from "../../support/tier.ts";

const SIZE = inTier(1 << 13, 1 << 18);
/** So many looks at a byte, whatever stands there; `key` without end has 23, for the name that is looked back at. */
const MAX_STEPS = 32;

const stepsOf = (text: string): number =>
  scanSecrets(Buffer.from(text), 0, true).steps / text.length;

const fill = (piece: string): string => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);

/** Repeats itself nowhere: what repeats itself is passed over, and would hide what the rest costs. */
function fillNumbered(piece: string): string {
  let text = "";
  for (let number = 0; text.length < SIZE; number += 1) text += `${piece}${number}`;
  return text.slice(0, SIZE);
}

const CLASSES = [
  ...[" ", "\t", "\n", "\0", "a", "A", "0", "-", "_", ".", "/", ":", "=", "@", "%", "\\", '"'],
  ...["aA0", "a-", "a.", "a=", "a:", "://", "é", "密", "\u001b[31m"],
];

const OTHER_MARKS = [
  ...[
    "Bearer ",
    "bearer",
    "Basic ",
    "://",
    "x://u:",
    "x://u:p@",
    "-----BEGIN ",
    "password=",
    "token: ",
  ],
  ...[
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\na\n-----END PRIVATE KEY-----\n",
    "key",
    "api_key=",
    "SECRET=",
    '"token":"',
  ],
  ...[
    "Private-Lines: 1\n",
    "password=a1",
    "authorization: bearer ",
    "eyJ-",
    "eyJ.",
    "sk-a1",
    "://a:",
  ],
];

const MARKS = readVendorRows().map(({ mark }) => mark.map((set) => set.charAt(0)).join(""));

test("each class of characters costs a bounded number of looks", () => {
  const costs = CLASSES.map((piece) => [piece, stepsOf(fill(piece))] as const);
  expect(costs.filter(([, cost]) => cost > MAX_STEPS)).toEqual([]);
});

test("each mark, repeated, alone and before a long run, costs a bounded number of looks", () => {
  const pieces = [...new Set([...MARKS, ...OTHER_MARKS])];
  const costs = pieces.flatMap((mark) => [
    [mark, stepsOf(fill(mark))] as const,
    [`${mark} apart`, stepsOf(fill(`${mark} `))] as const,
    [`${mark} with a number`, stepsOf(fillNumbered(mark))] as const,
    [`${mark} with dashes`, stepsOf(fill(`${mark}-`))] as const,
    [`${mark} and a run`, stepsOf(`${fill(mark).slice(SIZE / 2)}${"a".repeat(SIZE / 2)}`)] as const,
    [`${mark} and blanks`, stepsOf(`${mark}${" ".repeat(SIZE)}`)] as const,
  ]);
  const worst = costs.toSorted((a, b) => b[1] - a[1]).slice(0, 3);
  console.info(
    `most looks at a byte: ${worst.map(([mark, cost]) => `${mark} ${cost.toFixed(1)}`)}`,
  );
  expect(costs.filter(([, cost]) => cost > MAX_STEPS)).toEqual([]);
});

test("a secret after all that is still found", () => {
  const key = `sk-ant-${"a1B2c3D4".repeat(5)}`;
  for (const piece of ["sk-", " ", "eyJ-", "Bearer ", "://", "password="])
    expect(maskSecrets(`${fill(piece)} ${key}`).endsWith(" [secret]")).toBe(true);
});

test("a secret between repeated pieces, or made of them, is found where it is", () => {
  const key = `ghp_${"a1B2c3D4".repeat(5)}`;
  for (const piece of [...CLASSES, ...OTHER_MARKS.map((mark) => `${mark}.. `)]) {
    const around = piece.repeat(Math.ceil(20_000 / piece.length));
    const text = `${around}\n${key}\n${around}`;
    const begin = Buffer.byteLength(around) + 1;
    const { spans } = scanSecrets(Buffer.from(text), 0, true);
    const isMasked = spans.some((span) => span.begin <= begin && span.end >= begin + key.length);
    expect([piece, isMasked]).toEqual([piece, true]);
  }
  const repeated = `${key} `.repeat(1000);
  expect(maskSecrets(repeated)).toBe("[secret] ".repeat(1000));
  // What goes on with something else after a long run is one secret with it.
  expect(maskSecrets(`sk-${"sk-".repeat(10_000)}${"a1B2c3D4".repeat(5)} x`)).toBe("[secret] x");
});

test("a mark is found at every place of a text, on whatever address the text lies", () => {
  const scan = createScanner([
    {
      mark: [..."<x>"],
      match: (_, begin, end) => ({ begin, end, tail: null, isSure: true }),
    },
  ]);
  for (const length of [3, 4, 5, 8, 9])
    for (const address of [0, 1, 2, 3])
      for (let at = 0; at + 3 <= length; at += 1) {
        const text = Buffer.alloc(address + length, ".").fill(
          "<x>",
          address + at,
          address + at + 3,
        );
        const { spans } = scan(text.subarray(address), 0, true);
        expect([length, address, spans.map(({ begin }) => begin)]).toEqual([length, address, [at]]);
      }
});
