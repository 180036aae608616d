import { join } from "node:path";
import { expect, test } from "vitest";

const { writeEager } = await import(join(import.meta.dirname, "../../scripts/eager-functions.mjs"));

test.each([
  "const six = double(3); function double(n) { return n * 2 } [six, double.name]",
  "function once() { const first = once; once = () => 2; return first === once } [once(), once()]",
  "[1, 2].map(n => [3].map(m => n * m))",
  "const pick = n => n > 1 ? () => 'more' : function () { return 'one' }; [pick.name, pick(1)(), pick(2)()]",
  "({ get a() { return 1 }, b() { return 2 }, c: () => 3 }).c.name",
  "class A { m() { return [1].map(n => n + 1) } static s = () => 4 } [new A().m(), A.s(), A.s.name]",
])("what %s comes to stays when all of it is compiled with its file", (code) => {
  const written = writeEager(code, () => true);
  // biome-ignore lint/security/noGlobalEval: what the two come to is what is compared.
  const run = globalThis.eval;
  expect(run(`{${written}}`)).toEqual(run(`{${code}}`));
});

test("only what is called is put into parentheses", () => {
  const code = "function a(){}function b(){}";
  expect(writeEager(code, (place: string) => place === "0-14")).toBe(
    "var a=(function (){});;function b(){}",
  );
});
