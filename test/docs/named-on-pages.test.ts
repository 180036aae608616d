// Each page of a table names all that the table has.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENTS } from "../../src/agents/roster.ts";
import { EVALUATORS } from "../../src/bench/evaluators/roster.ts";
import { defineCommand } from "../../src/core/command/definition.ts";
import { ok } from "../../src/core/command/result.ts";
import { FEATURES } from "../../src/features.ts";
import { builtinNames } from "../../src/hooks/builtins/builtins.ts";
import { openTestProgram } from "../support/program-of-commands.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");

describe.each([
  ["program.md", FEATURES.flatMap(({ commands }) => Object.keys(commands))],
  ["bench.md", EVALUATORS.types()],
  ["hooks.md", builtinNames()],
  ["agents.md", AGENTS.map(({ name }) => name)],
] as const)("in a table of %s", (page, names) => {
  const rows = readFileSync(join(DOCS, page), "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith("| `") ? [line.split(" | ")[0] ?? ""] : []));
  test.each(names)("`%s` has a row", (name) => {
    const own = new RegExp(`\`${name}[\` :]`);
    expect(rows.filter((row) => own.test(row))).not.toEqual([]);
  });
});

test("the page of the context has a row for all that a command is given, and an example", async () => {
  const page = readFileSync(join(DOCS, "context.md"), "utf8");
  const [table = "", ...examples] = page.split("\n## ");
  const given = Promise.withResolvers<string[]>();
  const look = defineCommand({
    description: "Look",
    run: (_, context) => {
      given.resolve(Object.keys(context));
      return ok("");
    },
  });
  await openTestProgram({ commands: { look } }).run(["look"]);
  for (const name of await given.promise) {
    expect(table).toContain(`\`${name}\``);
    expect(examples.join("")).toMatch(new RegExp(`\\b${name}\\b`));
  }
});
