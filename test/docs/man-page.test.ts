// `man adj` says of every command what `adj help` says. That the file is current is looked at with the rest of the reference.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { summarizeBundled } from "../../src/bundled-summaries.ts";
import { listSchemaArguments } from "../../src/core/command/arguments.ts";
import { CHECKOUT } from "../support/checkout.ts";

// npm links what a list names; a name alone it passes over.
const [man] = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8")).man;
const page = readFileSync(join(CHECKOUT, man), "utf8");

test("every command has a part of its own, with its description and its flags", async () => {
  const summaries = await summarizeBundled();
  expect(summaries.length).toBeGreaterThan(30);
  const parts = new Map(
    page.split("\n.SS ").map((part) => [part.split(":")[0], part.replaceAll("\\-", "-")]),
  );
  for (const { name, description, schema } of summaries) {
    const part = parts.get(name) ?? "";
    expect(part.split("\n")[0], name).toBe(`${name}: ${description}`);
    for (const { flag, schema: own } of listSchemaArguments(schema ?? {}))
      if (own.positional === undefined && own.unknownFlags !== true)
        expect(part, name).toContain(`--${flag}`);
  }
});

test.runIf(existsSync("/usr/bin/groff"))("it is set without a warning", () => {
  const set = spawnSync("groff", ["-man", "-Tutf8", "-Kutf8", "-ww", join(CHECKOUT, man)], {
    encoding: "utf8",
  });
  expect(set.stderr).toBe("");
  expect(stripVTControlCharacters(set.stdout)).toContain(
    "adj - the command layer for coding agents\n",
  );
});
