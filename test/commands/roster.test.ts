import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeArguments } from "../../src/command/arguments-schema.ts";
import { isCommandName } from "../../src/command/name.ts";
import type { Program } from "../../src/commands/program.ts";
import { loadAllBundled } from "../../src/commands/roster.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "src", "commands");
const definitions = (await loadAllBundled()).map((make) => make(() => ({}) as Program));
const names = definitions.map(({ name }) => name);

test("every file with a command in it is in the roster, once, under its own name", async () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".ts"));
  const modules = await Promise.all(files.map((file) => import(join(FOLDER, file))));
  const commands = files.filter((_, at) => typeof modules[at]?.default === "function");
  expect(commands.map((file) => file.slice(0, -".ts".length)).sort()).toEqual(names.toSorted());
});

describe.each(definitions.map((definition) => [definition.name, definition] as const))(
  "`%s`",
  (name, definition) => {
    test("has a name, a one-line description and a category", () => {
      expect(isCommandName(name)).toBe(true);
      expect(definition.description).toMatch(/^\S[^\n]*\S$/);
      expect(definition.category).toBeTruthy();
    });

    test("takes nothing that its schema does not know, and says what each argument is", () => {
      const schema = definition.args === undefined ? {} : describeArguments(definition.args);
      for (const [key, argument] of Object.entries(schema.properties ?? {}))
        expect(argument.description, key).toBeTruthy();
    });
  },
);

test("commands that only show are marked so, and nothing else is", () => {
  const reading = definitions.filter(({ safety }) => safety === "read_only");
  expect(reading.map(({ name }) => name).sort()).toEqual([
    "commands",
    "completion",
    "env",
    "explain",
    "help",
    "sessions",
    "tools",
    "tour",
  ]);
  for (const { effect } of reading) expect(effect ?? "read").toBe("read");
});
