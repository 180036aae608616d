import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GIT_HAZARDS } from "../../src/core/shell/git/hazard.ts";
import { SAFETIES, TOOL_KINDS } from "../../src/core/step/envelope.ts";
import { STEPS } from "../../src/core/step/step.ts";
import { builtinNames } from "../../src/hooks/builtins/builtins.ts";
import { hooksJsonSchema } from "../../src/hooks/pipeline/schema.ts";
import { writeAbilitiesTable } from "../live/page/abilities-table.ts";
import { replacePart } from "../live/page/page-parts.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "hooks.md");
const page = readFileSync(PAGE, "utf8");

test("the page shows what each agent can do, as the adapters have it", async () => {
  await expect(replacePart(page, "abilities", writeAbilitiesTable())).toMatchFileSnapshot(PAGE);
});

test("the page has a place for what was measured", () => {
  expect(replacePart(page, "hooks", "| measured |")).toContain("| measured |");
});

const { properties: { hooks: { items: { properties = {} } = {} } = {} } = {} } = JSON.parse(
  JSON.stringify(await hooksJsonSchema()),
);

test.each([
  ...STEPS,
  ...TOOL_KINDS,
  ...SAFETIES,
  ...GIT_HAZARDS,
  ...builtinNames(),
  ...Object.keys(properties),
  ...Object.keys(properties.match?.properties ?? {}),
  ...Object.keys(properties.run?.properties ?? {}),
])("the page names `%s`", (word) => {
  expect(page).toContain(`\`${word}\``);
});

test("the schema is read, so that a new key is asked for", () => {
  expect(Object.keys(properties)).toContain("on_error");
  expect(Object.keys(properties.match.properties)).toContain("command");
});
