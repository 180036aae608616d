import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchGlob } from "../../../src/core/project/glob.ts";
import { inTier } from "../../support/tier.ts";

describe("a glob on text", () => {
  it.each<[string, string, boolean]>([
    ["git push*--force*", "git push origin --force", true],
    ["git push*--force*", "git push --force-with-lease", true],
    ["git push*--force*", "git push origin", false],
    ["git push", "git push origin", false],
    ["*", "", true],
    ["*", "a b/c\nd", true],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["a?c", "a/c", true],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["[^a-c]x", "dx", true],
    ["[]a]x", "]x", true],
    ["[abc", "[abc", true],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["a.c", "abc", false],
    ["?", "😀", true],
    ["", "", true],
    ["", "a", false],
    ["{a,b}", "a", false],
    ["{a,b}", "{a,b}", true],
  ])("%j on %j is %j", (pattern, text, expected) => {
    expect(matchGlob(pattern, text, { style: "text" })).toBe(expected);
  });
});

describe("a glob on paths", () => {
  it.each<[string, string, boolean]>([
    ["/a/*", "/a/b", true],
    ["/a/*", "/a/b/c", false],
    ["/a/**", "/a/b/c", true],
    ["/a/**/c", "/a/c", true],
    ["/a/**/c", "/a/b/b/c", true],
    ["/a/**/c", "/a/xc", false],
    ["/**/.env", "/.env", true],
    ["/**/.env", "/a/b/.env", true],
    ["/**/.env", "/a/x.env", false],
    ["/a/?", "/a//", false],
    ["/a/**/*.ts", "/a/b.ts", true],
    ["/a/{b,c}/*.{ts,md}", "/a/c/x.md", true],
    ["/a/{b,c}/*.{ts,md}", "/a/d/x.md", false],
    ["/{a,b{c,d}}", "/bd", true],
    ["/{a}", "/{a}", true],
    ["/\\{a,b}", "/{a,b}", true],
    ["/{a,b", "/{a,b", true],
    [`/${"{a,b}".repeat(20)}`, `/${"{a,b}".repeat(20)}`, true],
  ])("%j on %j is %j", (pattern, path, expected) => {
    expect(matchGlob(pattern, path, { style: "path" })).toBe(expected);
  });
});

it("a text matches itself, and any part of it may become a star", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."ab /-.é") });
  fc.assert(
    fc.property(plain, plain, plain, (before, middle, after) => {
      const text = before + middle + after;
      expect(matchGlob(text, text, { style: "text" })).toBe(true);
      expect(matchGlob(`${before}*${after}`, text, { style: "text" })).toBe(true);
      expect(matchGlob(`${text}x`, text, { style: "text" })).toBe(false);
    }),
  );
});

it("it agrees with a regular expression of the same meaning", () => {
  const pattern = fc.string({ unit: fc.constantFrom(..."ab*?"), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom(..."ab"), maxLength: 12 });
  fc.assert(
    fc.property(pattern, text, (glob, each) => {
      const source = glob.replaceAll("*", ".*").replaceAll("?", ".");
      expect(matchGlob(glob, each, { style: "text" })).toBe(new RegExp(`^${source}$`).test(each));
    }),
    { numRuns: inTier(1_000, 2_000) },
  );
});

it("a pattern full of stars on a long text comes to an end", () => {
  expect(matchGlob(`${"*a".repeat(50)}b`, "a".repeat(20_000), { style: "text" })).toBe(false);
});
