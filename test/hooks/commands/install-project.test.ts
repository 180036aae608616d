// What a colleague without `adj` meets: the lines of the entries are run as the agents run them, by a shell.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandOfHandler, listHandlers } from "../../../src/hooks/install/entries.ts";
import { textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { type HooksProgram, openHooksProgram } from "./hooks-program.ts";

// biome-ignore format: a table, one agent a line
const AGENTS = [
  { agent: "claude-code", file: ".claude/settings.json", event: "PreToolUse", denied: { hookSpecificOutput: { permissionDecision: "deny" } } },
  { agent: "codex", file: ".codex/hooks.json", event: "PreToolUse", denied: { hookSpecificOutput: { permissionDecision: "deny" } } },
  { agent: "gemini", file: ".gemini/settings.json", event: "BeforeTool", denied: { decision: "deny" } },
  { agent: "qwen", file: ".qwen/settings.json", event: "PreToolUse", denied: { continue: false } },
  { agent: "copilot", file: ".github/hooks/adjutant.json", event: "preToolUse", denied: { permissionDecision: "deny" } },
] as const;

const GUARD = "hooks: [{ name: g, on: before_tool, run: { builtin: deny } }]\n";

function callEntry(opened: HooksProgram, file: string, event: string, path: string) {
  const config: unknown = JSON.parse(readFileSync(join(opened.root, file), "utf8"));
  const entry = listHandlers(config).find((one) => one.event === event);
  const line = commandOfHandler(entry?.handler) ?? "";
  return spawnSync("/bin/sh", ["-c", line], {
    input: "x".repeat(200_000),
    env: { PATH: path },
    encoding: "utf8",
  });
}

describe.each(AGENTS)("the project's entries for $agent", ({ agent, file, event, denied }) => {
  test("refuse with a sentence where guards are in force and `adj` is not there", async () => {
    const opened = openHooksProgram();
    writeFiles(opened.configDir, { "hooks.yaml": GUARD });
    const told = textOf(await opened.adj("install", agent, "--project"));
    expect(told).toContain(`without \`adj\` on PATH \`${agent}\` refuses`);
    const { status, stdout, error } = callEntry(opened, file, event, "/usr/bin:/bin");
    expect({ status, error }).toEqual({ status: 0, error: undefined });
    expect(JSON.parse(stdout)).toMatchObject(denied);
    expect(stdout).toContain("need Adjutant, and its program adj is not there");
    opened.writeProgram("adj", 'cat >/dev/null; echo "$@"');
    const answered = callEntry(opened, file, event, opened.env.PATH);
    expect(answered.stdout.trim()).toBe(`hook ${agent}`);
    expect(textOf(await opened.adj("install", agent, "--project"))).toContain("already");
  });

  test("let a colleague without `adj` work where no guard is in force, and say so", async () => {
    const opened = openHooksProgram();
    const told = textOf(await opened.adj("install", agent, "--project"));
    expect(told).toContain(
      `without \`adj\` on PATH \`${agent}\` goes on as if there were no hooks`,
    );
    const { status, stdout } = callEntry(opened, file, event, "/usr/bin:/bin");
    expect(stdout).toBe("");
    if (["gemini", "copilot"].includes(agent)) expect(status).toBe(0);
  });
});
