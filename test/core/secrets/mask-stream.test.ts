import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinExactValues, maskSecrets } from "../../../src/core/secrets/mask.ts";
import { createStreamMasker } from "../../../src/core/secrets/mask-stream.ts";
import { drawSecret } from "./draw-secret.ts";

function maskPieces(pieces: readonly Uint8Array[], exact: readonly string[] = []): string {
  const masker = createStreamMasker(exact);
  const masked = pieces.map((piece) => Buffer.from(masker.push(piece)));
  return Buffer.concat([...masked, masker.end()]).toString();
}

const inPieces = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
};

const KEY_BLOCK = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".repeat(40)}-----END PRIVATE KEY-----`;

const SECRETS = [
  drawSecret("ghp_ n36"),
  drawSecret("sk-ant-api03- u93 AA"),
  `DB_PASSWORD=${drawSecret("n12")}`,
  `{"api_key": "${drawSecret("h40")}"}`,
  `{"text":"AWS_SECRET_ACCESS_KEY=${drawSecret("b40")}\\n"}`,
  `Authorization: Bearer ${drawSecret("u40")}`,
  `postgres://ann:${drawSecret("n12")}@db/x`,
  drawSecret("h32 -us14"),
  drawSecret("d10 :AA u33"),
  KEY_BLOCK,
];

const FILLERS = [
  "",
  " ",
  "ordinary words\n",
  "é密",
  '{"a": [1, 2]}',
  "token = readToken()\n",
  "a".repeat(300),
];

describe("a stream", () => {
  test("is masked as the whole text is, however it is cut", () => {
    const part = fc.oneof(fc.constantFrom(...SECRETS), fc.constantFrom(...FILLERS));
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 200 }), (whole, size) => {
        expect(maskPieces(inPieces(whole, size))).toBe(maskSecrets(whole));
      }),
    );
  });

  test("without a secret passes byte for byte, also what is no text", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (pieces) => {
        const masker = createStreamMasker();
        const passed = [...pieces.map((piece) => masker.push(piece)), masker.end()];
        expect(Buffer.concat(passed).equals(Buffer.concat(pieces))).toBe(true);
      }),
    );
  });

  test("hides exact values over a cut, also as JSON and URLs write them", () => {
    const value = 'Zq7 "x"&é';
    const text = `a ${value} b ${JSON.stringify(value)} c ${encodeURIComponent(value)}`;
    for (const size of [1, 2, 3, 7, 100])
      expect(maskPieces(inPieces(text, size), [value])).toBe('a [secret] b "[secret]" c [secret]');
  });

  test("gives on what is decided at once, and holds back a bounded part of the rest", () => {
    const masker = createStreamMasker();
    const passed = masker.push(Buffer.from(`${"line of text\n".repeat(30)}`));
    expect(passed.length).toBeGreaterThan(200);
    let given = masker.push(Buffer.from("\nsk-a1")).length;
    for (let pushed = 0; pushed < 1 << 20; pushed += 1024)
      given += masker.push(Buffer.alloc(1024, "a1B2")).length;
    expect(given).toBeLessThan(300);
    expect(masker.end().length).toBeLessThan(100);
  });

  test("masks the whole of a secret that is longer than all limits, and goes on after it", () => {
    const masked = maskPieces(inPieces(`x sk-ant-a1${"a1B2".repeat(100_000)} ordinary`, 4096));
    expect(masked).toBe("x [secret] ordinary");
  });

  test("of a flood waits for more before it looks, and gives on what waits when none comes", () => {
    const masker = createStreamMasker();
    const line = `ordinary words and ${drawSecret("ghp_ n36")}\n`;
    const piece = Buffer.from(line.repeat(1000));
    const given: Buffer[] = [];
    for (let pushed = 0; pushed < 1 << 22; pushed += piece.length)
      given.push(Buffer.from(masker.push(piece)));
    expect(masker.isWaiting).toBe(true);
    given.push(Buffer.from(masker.settle()));
    expect(masker.isWaiting).toBe(false);
    const text = Buffer.concat(given).toString();
    const count = given.filter(({ length }) => length > 0).length;
    expect(count).toBeLessThan(given.length / 2);
    expect(`${text}${masker.end()}`).toBe(
      "ordinary words and [secret]\n".repeat((given.length - 1) * 1000),
    );
  });
});

test("a value that becomes known later is masked from then on, also in what is still held back", () => {
  let known: readonly string[] = ["what is known"];
  const others = () => known;
  const masker = createStreamMasker(joinExactValues(["our own"], others));
  const given = [Buffer.from(masker.push(Buffer.from("our own, what is known, quite a")))];
  known = [...known, "quite a late word"];
  given.push(Buffer.from(masker.push(Buffer.from(" late word, and quite a late word\n"))));
  given.push(Buffer.from(masker.end()));
  expect(Buffer.concat(given).toString()).toBe("[secret], [secret], [secret], and [secret]\n");
});
