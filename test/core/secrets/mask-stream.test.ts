import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FLOOD_MASK, LOOK_LIMITS, type LookLimits } from "../../../src/core/secrets/flood.ts";
import { joinExactValues, maskSecrets } from "../../../src/core/secrets/mask.ts";
import { createStreamMasker } from "../../../src/core/secrets/mask-stream.ts";
import { inTier } from "../../support/tier.ts";
import { drawSecret } from "./draw-secret.ts";

function maskPieces(
  pieces: readonly Uint8Array[],
  exact: readonly string[] = [],
  limits: LookLimits = LOOK_LIMITS,
): string {
  const masker = createStreamMasker(exact, limits);
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

const UNLIMITED: LookLimits = { ...LOOK_LIMITS, burst: Number.POSITIVE_INFINITY };

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
    const masker = createStreamMasker([], UNLIMITED);
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

/** So many looks are used up by some thousand lines, and are there again after some more. */
const FEW_LOOKS: LookLimits = { burst: 100_000, perByte: 1, restart: 80_000 };

/** What is planted in a flood, and what of it must not be written. */
function plantSecrets(): readonly { readonly text: string; readonly secret: string }[] {
  const password = drawSecret("h40");
  const long = drawSecret("n3000");
  const exact = "Zq7 two\nlines Zq8";
  const body = Array.from({ length: 12 }, () => drawSecret("b64"));
  const block = (before: string, lineEnd: string, repeats = 1) =>
    [
      "-----BEGIN RSA PRIVATE KEY-----",
      ...Array.from({ length: repeats }, () => body).flat(),
      "-----END RSA PRIVATE KEY-----",
    ]
      .map((line) => before + line)
      .join(lineEnd);
  return [
    { text: `DB_PASSWORD="${password}"`, secret: password },
    { text: `--token   ${password}`, secret: password },
    { text: `token: sk-ant-a1${long}`, secret: long },
    { text: `see https://ann:${password}@host/x`, secret: password },
    { text: `a ${exact} b`, secret: "lines Zq8" },
    { text: block("", "\n"), secret: body.join("\n") },
    { text: block("  - ", "\n"), secret: body.join("\n  - ") },
    { text: block("", "\\n"), secret: body.join("\\n") },
    { text: block("", "\n", 150), secret: body.join("\n") },
  ];
}

/** Parts of a secret that are long enough not to stand elsewhere by chance. */
const partsOf = (secret: string): string[] =>
  Array.from({ length: Math.ceil(secret.length / 16) }, (_, at) =>
    secret.slice(at * 16).slice(0, 9),
  )
    .filter((part) => part.length === 9)
    .concat(secret.slice(-9));

const FLOOD = Array.from({ length: 3000 }, () => `DB_PASSWORD=7${drawSecret("n12")}`);
const CALM = "nothing to see here; it goes on\n";

describe("a flood of secrets", () => {
  const count = fc.nat(FLOOD.length);
  const part = fc.oneof(
    { weight: 3, arbitrary: count.map((lines) => FLOOD.slice(0, lines)) },
    { weight: 4, arbitrary: fc.nat(8) },
    { weight: 1, arbitrary: count.map((lines) => [CALM.repeat(lines)]) },
  );

  test("keeps no part of what is planted in it, however it is cut and wherever looking ends", () => {
    const planted = plantSecrets();
    const parts = new Map(planted.map(({ secret }) => [secret, partsOf(secret)]));
    let floods = 0;
    let restarts = 0;
    const spell = (one: readonly string[] | number, end: string) =>
      typeof one === "number" ? (planted[one]?.text ?? "") : one.join(end);
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 6, maxLength: 16 }),
        fc.constantFrom("\n", "\n", "\n", " "),
        fc.integer({ min: 500, max: 90_000 }),
        (drawn, end, size) => {
          const text = drawn.map((one) => spell(one, end)).join(end);
          const masked = maskPieces(inPieces(text, size), ["Zq7 two\nlines Zq8"], FEW_LOOKS);
          const [, ...behind] = masked.split(FLOOD_MASK);
          floods += behind.length;
          restarts += behind.filter((rest) => rest.length > 0).length;
          for (const { secret } of planted)
            for (const one of parts.get(secret) ?? [])
              if (masked.includes(one)) expect.fail(`${one} is in ${masked}`);
          expect(masked).not.toMatch(/DB_PASSWORD=7/);
        },
      ),
      { numRuns: inTier(60, 5000) },
    );
    expect(floods).toBeGreaterThan(50);
    expect(restarts).toBeGreaterThan(30);
  });

  test("leaves nothing of a secret in which looking ends or begins again", () => {
    const ordinary = plantSecrets().slice(0, 8);
    const exact = ["Zq7 two\nlines Zq8"];
    const limits = fc.record({
      burst: fc.nat(6000),
      perByte: fc.nat(30),
      restart: fc.nat(6000),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...ordinary),
        fc.nat(12),
        fc.integer({ min: 1, max: 1500 }),
        limits,
        ({ text, secret }, lines, size, few) => {
          const flood = `${FLOOD.slice(0, lines).join("\n")}\n`;
          const whole = `${flood}${text}\n${flood}`;
          const masked = maskPieces(inPieces(whole, size), exact, few);
          for (const one of partsOf(secret)) if (masked.includes(one)) expect.fail(masked);
          expect(masked).not.toMatch(/DB_PASSWORD=7/);
        },
      ),
      { numRuns: inTier(2000, 100_000) },
    );
  });

  test("is marked once until it is looked at again, from a line end on", () => {
    const flood = `${FLOOD.join("\n")}\n`.repeat(2);
    const text = flood + CALM.repeat(20_000) + flood.slice(0, flood.indexOf("\n") + 1);
    const masked = maskPieces(inPieces(text, 1000), [], { ...FEW_LOOKS, perByte: 0.2 });
    expect(masked).toMatch(
      /^(DB_PASSWORD=\[secret\]\n)+[^\n]*\[secret: too many to look at one by one\]\n/,
    );
    expect(masked.split(FLOOD_MASK)).toHaveLength(2);
    expect(masked.endsWith(`${CALM}DB_PASSWORD=[secret]\n`)).toBe(true);
  });

  test("is not what a person reads: some thousand secrets at once, and many in much text", () => {
    const log = FLOOD.map((line) => `${line}\n${CALM.repeat(10)}`);
    const text = `${FLOOD.join("\n")}\n${log.join("")}`;
    expect(maskPieces(inPieces(text, 1 << 16))).toBe(maskSecrets(text));
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
