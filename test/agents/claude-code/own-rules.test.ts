import { join } from "node:path";
import { expect, test } from "vitest";
import { hasOwnRule } from "../../../src/agents/claude-code/hooks.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

// biome-ignore format: a table, one line each
test.each([
  ["deny", "Bash(adj-say)", "adj-say", true],
  ["deny", "Bash(adj-say)", "adj-say a", false],
  ["ask", "Bash(adj-say:*)", "adj-say a b", true],
  ["ask", "Bash(adj-say:*)", "adj-say", true],
  ["ask", "Bash(adj-say:*)", "adj-sayings", false],
  ["deny", "Bash(adj-*)", "adj-say a", true],
  ["deny", "Bash(adj-say *)", "adj-say", true],
  ["deny", "Bash(adj-* --all)", "adj-say --all", true],
  ["deny", "Bash(adj-* --all)", "adj-say", false],
  ["deny", "Bash", "adj-say", true],
  ["deny", "Bash(git push:*)", "adj-say", false],
  ["deny", "Read(./.env)", "adj-say", false],
  ["allow", "Bash(adj-say)", "adj-say", false],
])("%s %s and `%s`: %s", (kind, rule, line, isRuled) => {
  const folder = temporaryFolder();
  const settings = JSON.stringify({ permissions: { [kind]: [rule] } });
  for (const file of ["home/.claude/settings.json", "p/.claude/settings.local.json"]) {
    writeFiles(folder, { [file]: settings });
    const place = { env: {}, home: join(folder, "home"), root: join(folder, "p") };
    expect(hasOwnRule(line, place)).toBe(isRuled);
  }
});

test("a rule counts where Claude Code is started below the project's root", () => {
  const folder = temporaryFolder();
  const rules = { permissions: { deny: ["Bash(adj-say)"] } };
  writeFiles(folder, { "p/sub/.claude/settings.json": JSON.stringify(rules) });
  const env = { CLAUDE_PROJECT_DIR: join(folder, "p", "sub") };
  const place = { home: join(folder, "home"), root: join(folder, "p") };
  expect(hasOwnRule("adj-say", { ...place, env })).toBe(true);
  expect(hasOwnRule("adj-say", { ...place, env: {} })).toBe(false);
});

test("no file, and one that is no JSON, have no rules", () => {
  const folder = temporaryFolder();
  writeFiles(folder, { "p/.claude/settings.json": "{" });
  expect(hasOwnRule("adj-x", { env: {}, home: folder, root: join(folder, "p") })).toBe(false);
});
