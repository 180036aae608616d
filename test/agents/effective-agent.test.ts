import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { effectiveAgent, namesWith } from "../../src/agents/roster.ts";

test.each([
  ["claude-code", {}, "claude-code", false],
  ["claude-code", { COPILOT_CLI: "1" }, "copilot", true],
  // Claude Code in a shell of Copilot's, and the other way round.
  ["claude-code", { COPILOT_CLI: "1", CLAUDE_CODE_SESSION_ID: "s-1" }, "claude-code", false],
  ["claude-code", { COPILOT_CLI: "1", CLAUDE_CODE_SESSION_ID: "s-0" }, "copilot", true],
  ["copilot", { COPILOT_CLI: "1" }, "copilot", false],
  ["gemini", { COPILOT_CLI: "1" }, "gemini", false],
])("called as %s with %j it is %s that asks", (name, env, expected, isBorrowed) => {
  expect(effectiveAgent(name, { session_id: "s-1" }, env)).toEqual({ name: expected, isBorrowed });
});

test("a session without a name is nobody's", () => {
  const env = { COPILOT_CLI: "1", CLAUDE_CODE_SESSION_ID: "" };
  expect(effectiveAgent("claude-code", { session_id: "" }, env).name).toBe("copilot");
});

test("knowing the agents loads no package", () => {
  const roster = join(import.meta.dirname, "..", "..", "src/agents/roster.ts");
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { namesWith } = await import(${JSON.stringify(roster)});
    console.log(JSON.stringify({
      names: namesWith("hooks"),
      foreign: loaded.filter((url) => url.includes("/node_modules/") || url.startsWith("node:")),
    }));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script]);
  expect(JSON.parse(printed.toString())).toEqual({
    names: namesWith("hooks"),
    // What the paths of their settings are joined with.
    foreign: ["node:path"],
  });
});
