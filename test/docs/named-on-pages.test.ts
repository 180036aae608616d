// Each page of a table names all that the table has.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVALUATORS } from "../../src/bench/evaluators/roster.ts";
import { FEATURES } from "../../src/features.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");

describe.each([
  ["program.md", FEATURES.flatMap(({ commands }) => Object.keys(commands))],
  ["bench.md", EVALUATORS.types()],
] as const)("in a table of %s", (page, names) => {
  const rows = readFileSync(join(DOCS, page), "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith("| `") ? [line.split(" | ")[0] ?? ""] : []));
  test.each(names)("`%s` has a row", (name) => {
    const own = new RegExp(`\`${name}[\` :]`);
    expect(rows.filter((row) => own.test(row))).not.toEqual([]);
  });
});
