import { expect, test } from "vitest";
import { isCommandName, PROGRAM_WORDS } from "../../src/command/name.ts";

test.each(["a", "deploy", "deploy-2", "a".repeat(64), "constructor"])("%s is a name", (name) => {
  expect(isCommandName(name)).toBe(true);
});

test.each([
  "",
  "A",
  "2fast",
  "-x",
  "_x",
  "__proto__",
  "toString",
  "a b",
  "a_b",
  "a.b",
  "a/b",
  "é",
  "deploy\n",
  "a".repeat(65),
])("%j is no name", (name) => {
  expect(isCommandName(name)).toBe(false);
});

test("every word of the program has the form of a name", () => {
  expect([...PROGRAM_WORDS].filter((word) => !isCommandName(word))).toEqual([]);
});
