import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestNames } from "../../../src/core/command/names.ts";

const NAMES = ["deploy", "destroy", "model", "params", "provider", "reload", "resume", "save"];

test.each<[typed: string, meant: string[]]>([
  ["depoly", ["deploy"]],
  ["deplo", ["deploy"]],
  ["deploys", ["deploy"]],
  ["Model", ["model"]],
  ["relaod", ["reload"]],
  ["deploy", ["deploy"]],
  ["xyz", []],
  ["", []],
  ["constructor", []],
])("%j may have meant %j", (typed, meant) => {
  expect(nearestNames(typed, NAMES)).toEqual(meant);
});

test("a transposition is one step, so it is nearer than two changes", () => {
  expect(nearestNames("abcdef", ["abxyef", "abdcef"])).toEqual(["abdcef", "abxyef"]);
});

test("at most three are named, nearest first, then swapped letters, then in alphabetical order", () => {
  const names = ["testcd", "testb", "testa", "test", "testc"];
  expect(nearestNames("testx", names)).toEqual(["test", "testa", "testb"]);
  expect(nearestNames("modle", ["mode", "model"])).toEqual(["model", "mode"]);
});

test("a name one letter away is always among the candidates", () => {
  const name = fc.stringMatching(/^[a-z]{4,12}$/);
  fc.assert(
    fc.property(name, fc.nat(), (meant, place) => {
      const at = place % meant.length;
      const typed = meant.slice(0, at) + meant.slice(at + 1);
      expect(nearestNames(typed, [meant, "zzzzzzzzzzzzzzzz"])).toEqual([meant]);
    }),
  );
});
