import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "reference");

it("the published schemas are those that check; `npm run reference` writes them", async () => {
  const { makeReference } = await import(join(FOLDER, "../../scripts/reference.mjs"));
  const made = await makeReference();
  const files = readdirSync(FOLDER);
  expect(
    Object.fromEntries(files.map((file) => [file, readFileSync(join(FOLDER, file), "utf8")])),
  ).toEqual(made);
});
