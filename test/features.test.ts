import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeArguments } from "../src/core/command/describe-arguments.ts";
import { isCommandName } from "../src/core/command/registry.ts";
import type { Program } from "../src/core/commands/bundled.ts";
import { FEATURES, loadAllBundled } from "../src/features.ts";

const SOURCE = join(import.meta.dirname, "..", "src");
const definitions = (await loadAllBundled()).map((make) => make(() => ({}) as Program));
const names = definitions.map(({ name }) => name);

test("every file with a command in it is in the list of a feature, once, under its own name", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      file.endsWith(".ts") &&
      readFileSync(join(SOURCE, file), "utf8").includes("export default defineBundled("),
  );
  expect(files.map((file) => basename(file, ".ts")).sort()).toEqual(names.toSorted());
});

test("a feature names its commands as they call themselves", async () => {
  for (const { commands } of FEATURES)
    for (const [name, load] of Object.entries(commands)) {
      const { default: make } = await load();
      expect(make(() => ({}) as Program).name).toBe(name);
    }
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
    "questions",
    "runs",
    "sessions",
    "tools",
    "tour",
  ]);
  for (const { effect } of reading) expect(effect ?? "read").toBe("read");
});
