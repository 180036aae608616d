import { expect, it } from "vitest";
import { askEveryday } from "./everyday-project.ts";
import { readLines } from "./fixtures/read-lines.ts";

const lines = readLines("everyday-lines.txt");
/** Those that the long tier, which asks about all, found to meet a question. */
const asked = readLines("everyday-asked.txt");

it("there are two thousand everyday lines, each another, and fewer than one in a hundred is asked about", () => {
  expect(lines.length).toBeGreaterThanOrEqual(2_000);
  expect(new Set(lines).size).toBe(lines.length);
  expect(asked.length / lines.length).toBeLessThan(0.01);
});

it("no other is asked about under the file that `adj hooks init` writes", async () => {
  const sample = lines.filter((_, index) => index % 60 === 0);
  const found = await askEveryday("claude-code", sample);
  expect(found.filter(({ line }) => !asked.includes(line))).toEqual([]);
});
