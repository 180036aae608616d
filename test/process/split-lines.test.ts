import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter, type Line } from "../../src/process/split-lines.ts";
import { cutAt } from "./cut-bytes.ts";

function splitPieces(pieces: readonly Uint8Array[], maxLineBytes = Number.POSITIVE_INFINITY) {
  const splitter = createLineSplitter(maxLineBytes);
  const lines: Line[] = pieces.flatMap((piece) => splitter.push(piece));
  const last = splitter.end();
  return last === null ? lines : [...lines, last];
}

const textsOf = (lines: readonly Line[]) => lines.map((line) => line.text);

describe("splitting bytes into lines", () => {
  it.each([
    ["one\ntwo\n", ["one", "two"]],
    ["one\ntwo", ["one", "two"]],
    ["\n\n", ["", ""]],
    ["", []],
    ["one\r\ntwo\r\n", ["one\r", "two\r"]],
    ["a\u2028b\u0085c\n", ["a\u2028b\u0085c"]],
  ])("%j has the lines %j", (text, lines) => {
    expect(textsOf(splitPieces([Buffer.from(text)]))).toEqual(lines);
  });

  it("a line is given out with its newline, and the last one at the end", () => {
    const splitter = createLineSplitter(1_000_000);
    expect(splitter.push(Buffer.from("one\ntw"))).toEqual([{ text: "one", isCut: false }]);
    expect(splitter.push(Buffer.from("o"))).toEqual([]);
    expect(splitter.end()).toEqual({ text: "two", isCut: false });
    expect(splitter.end()).toBeNull();
  });

  it("the caller may reuse its memory after each push", () => {
    const splitter = createLineSplitter(100);
    const memory = Buffer.from("first");
    splitter.push(memory);
    memory.write("XXXXX");
    expect(splitter.push(Buffer.from("\n"))).toEqual([{ text: "first", isCut: false }]);
  });

  it("any text, cut anywhere, also inside a character, has the same lines", () => {
    const text = fc.string({ unit: fc.oneof(fc.constant("\n"), fc.string({ unit: "grapheme" })) });
    fc.assert(
      fc.property(text, fc.array(fc.nat(80)), (whole, cuts) => {
        const expected = whole.split("\n");
        if (expected.at(-1) === "") expected.pop();
        expect(textsOf(splitPieces(cutAt(Buffer.from(whole), cuts)))).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it("what is not UTF-8 becomes replacement characters and loses no line", () => {
    const bytes = Buffer.concat([
      Buffer.from("a\n"),
      Uint8Array.of(0xff, 0xe2, 10),
      Buffer.from("b"),
    ]);
    expect(textsOf(splitPieces([bytes]))).toEqual(["a", "\ufffd\ufffd", "b"]);
  });

  it.each([
    ["abc\n", 3, { text: "abc", isCut: false }],
    ["abcd\n", 3, { text: "abc", isCut: true }],
    ["abcd", 3, { text: "abc", isCut: true }],
    ["ab€\n", 4, { text: "ab", isCut: true }],
    ["ab€\n", 5, { text: "ab€", isCut: false }],
  ])("%j with at most %i bytes a line gives %j", (text, maxLineBytes, line) => {
    expect(splitPieces([Buffer.from(text)], maxLineBytes)).toEqual([line]);
    const single = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
    expect(splitPieces(single, maxLineBytes)).toEqual([line]);
  });

  it("the line after one that was too long is whole", () => {
    const pieces = [
      Buffer.from("x".repeat(50)),
      Buffer.from("y".repeat(50)),
      Buffer.from("\nnext\n"),
    ];
    expect(splitPieces(pieces, 10)).toEqual([
      { text: "x".repeat(10), isCut: true },
      { text: "next", isCut: false },
    ]);
  });
});
