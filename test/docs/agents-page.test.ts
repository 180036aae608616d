import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_REASONS } from "../../src/agents/log/error-reasons.ts";
import { SIM_AGENTS } from "../../src/sim/agents.ts";
import { PAGE, replacePart, replaceSection } from "../live/page/page-parts.ts";
import { writePermissionTable } from "../live/page/permission-table.ts";
import { ADAPTERS } from "../support/agents.ts";

const page = readFileSync(PAGE, "utf8");

test("the page shows what each permission becomes, as the adapters have it", async () => {
  await expect(replacePart(page, "permissions", writePermissionTable())).toMatchFileSnapshot(PAGE);
});

test.each(ADAPTERS)("the page names `$name`, its program and how to get it", (adapter) => {
  const row = page.split("\n").find((line) => line.startsWith(`| \`${adapter.name}\` |`));
  expect(row, "no row in the first table of docs/agents.md begins with it").toBeDefined();
  if (adapter.program !== null) {
    expect(row).toContain(`\`${adapter.program}\``);
    expect(row).toContain(`\`${adapter.installHint}\``);
  }
});

test.each(ERROR_REASONS)("the page explains the error code %s", (reason) => {
  expect(page).toContain(`\n| \`${reason}\` |`);
});

test("the page has the measured runs of every agent, in their order", () => {
  const measured = [...page.matchAll(/^### (\S+) \d/gm)].map(([, agent]) => agent);
  expect(measured).toEqual([...SIM_AGENTS]);
});

test("a new section takes the place of the agent's old one and leaves the others", () => {
  const before =
    "a\n<!-- agents:begin -->\n### codex 1\n\nold\n\n### qwen 1\n\nkept\n<!-- agents:end -->\nz\n";
  const after = replaceSection(before, "codex", "### codex 2\n\nnew\n");
  expect(after).toBe(
    "a\n<!-- agents:begin -->\n### codex 2\n\nnew\n\n### qwen 1\n\nkept\n<!-- agents:end -->\nz\n",
  );
  expect(replaceSection(after, "gemini", "### gemini 1")).toContain(
    "new\n\n### gemini 1\n\n### qwen 1",
  );
});
