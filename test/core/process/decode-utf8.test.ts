import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createUtf8Decoder } from "../../../src/core/process/decode-utf8.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { inTier } from "../../support/tier.ts";
import { cutAt } from "./cut-bytes.ts";

function decodePieces(pieces: readonly Uint8Array[]): string {
  const decoder = createUtf8Decoder();
  return pieces.map((piece) => decoder.push(piece)).join("") + decoder.end();
}

const reference = (bytes: Uint8Array) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

describe("decoding UTF-8 in pieces", () => {
  it("a character cut at every one of its bytes comes out whole", () => {
    for (const character of ["é", "€", "😀", "\u{10ffff}"]) {
      const bytes = Buffer.from(`a${character}b`);
      const single = [...bytes].map((byte) => Uint8Array.of(byte));
      expect(decodePieces(single)).toBe(`a${character}b`);
    }
  });

  it("a character is given out with its last byte, not before", () => {
    const decoder = createUtf8Decoder();
    expect(decoder.push(Uint8Array.of(0x61, 0xf0, 0x9f, 0x98))).toBe("a");
    expect(decoder.push(Uint8Array.of(0x80))).toBe("😀");
    expect(decoder.end()).toBe("");
  });

  it("an unfinished character at the end becomes one replacement character", () => {
    expect(decodePieces([Uint8Array.of(0x61, 0xe2, 0x82)])).toBe("a\ufffd");
  });

  it("any text survives any cuts", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.nat(64)), (text, cuts) => {
        expect(decodePieces(cutAt(Buffer.from(text), cuts))).toBe(Buffer.from(text).toString());
      }),
    );
  });

  it("any bytes, cut anywhere, decode as they do in one piece", () => {
    const hostile = fc.oneof(
      fc.nat(255),
      fc.constantFrom(0xc0, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf8, 0xff, 0x80, 0x9f, 0xbf),
    );
    fc.assert(
      fc.property(fc.array(hostile), fc.array(fc.nat(40)), (values, cuts) => {
        const bytes = Uint8Array.from(values);
        expect(decodePieces(cutAt(bytes, cuts))).toBe(reference(bytes));
      }),
      { numRuns: inTier(500, 2_000) },
    );
  });
});
