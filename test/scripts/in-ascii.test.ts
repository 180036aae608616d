import { join } from "node:path";
import { expect, test } from "vitest";

const { inAscii } = await import(join(import.meta.dirname, "../../scripts/build-plugins.mjs"));

test.each([
  '"a…b"',
  '"\\…"',
  '"\\\\…"',
  '"\\\\\\…"',
  "`x…$" + "{1}😀`",
  '"😀…".replace(/[😀]/u, "x")',
  "/^[–-…]$/.test('—')",
  "({ é: 1 }).é",
])("the build writes %s in ASCII, and it is the same", (code) => {
  const written = inAscii(code);
  expect(written).toMatch(/^[\0-\x7f]*$/);
  // biome-ignore lint/security/noGlobalEval: what the two come to is what is compared.
  const run = globalThis.eval;
  expect(run(written)).toEqual(run(code));
});

test("what is taken as it is written fails the build", () => {
  expect(() => inAscii("String.raw`a…b`")).toThrow("not to be written in ASCII: String.raw`a…");
  expect(inAscii("String.raw`ab` + '…'")).toBe("String.raw`ab` + '\\u2026'");
});
