import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENTS, agentNameOf, requireAdapter } from "../../src/agents/roster.ts";
import { openTestProgram, type TestProgram, textOf } from "../support/program-of-commands.ts";

const run = async (opened: TestProgram, ...words: string[]) => {
  const outcome = await opened.run(words, { env: { HOME: opened.folder, PATH: "/usr/bin:/bin" } });
  return `${textOf(outcome)}${outcome.result.errorOutput ?? ""}`;
};

test("an alias stands for its agent, any other word for itself", async () => {
  expect(agentNameOf("claude")).toBe("claude-code");
  expect(agentNameOf("nobody")).toBe("nobody");
  expect((await requireAdapter("claude")).name).toBe("claude-code");
});

test("each agent is run by a program that has one of its names", async () => {
  for (const { name, aliases, run: load } of AGENTS) {
    const { program } = await load();
    if (program !== null) expect([name, ...aliases]).toContain(program);
  }
});

describe("an alias is taken wherever an agent is named", () => {
  test.each([
    [["provider", "claude"], "agent is now claude-code"],
    [["agent", "run", "claude", "--prompt", "hi"], "agent `claude-code` cannot be run: `claude`"],
    [["install", "claude", "claude-code", "--dry-run"], "claude-code"],
    [["doctor", "claude"], "claude-code"],
    [["hooks", "test", "--agent", "claude", "--command", "ls"], "claude-code"],
    [["sync", "claude", "--user"], ""],
    [["uninstall", "claude", "--dry-run"], "claude-code"],
    [["import", "claude", "--dry-run"], "no agent has a command of its own here"],
    [["runs", "--agent", "claude"], ""],
  ])("adj %j", async (words, says) => {
    const said = await run(openTestProgram(), ...words);
    expect(said).not.toContain("unknown agent");
    expect(said).toContain(says);
  });

  test("the session's own and the settings' too, with the model that was chosen for it", async () => {
    const opened = openTestProgram();
    writeFileSync(join(opened.configDir, "config.yaml"), "agent: claude\nmodel: opus\n");
    expect(await run(opened, "provider")).toContain("claude-code (from the settings)");
    await run(opened, "provider", "claude");
    expect((await opened.run(["provider"])).result.metadata).toMatchObject({
      agent: "claude-code",
      source: "session",
    });
  });

  test("what is near an alias is asked about by the agent's name, before anything is sent", async () => {
    for (const words of [
      ["provider", "claud"],
      ["send", "--agent", "claud", "hello"],
    ])
      expect(await run(openTestProgram(), ...words)).toContain(
        "unknown agent `claud`; did you mean `claude-code`?",
      );
  });
});
