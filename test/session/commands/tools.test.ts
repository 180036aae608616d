import { expect, test } from "vitest";
import { AGENTS } from "../../../src/agents/roster.ts";
import { APPROVAL_MODES } from "../../../src/core/command/context.ts";
import { TOOL_KINDS } from "../../../src/core/step/envelope.ts";
import { describeApproval } from "../../../src/session/approvals/decide.ts";
import { linesOf, openTestProgram, textOf } from "../../support/program-of-commands.ts";
import { endedTurn } from "../ended-turn.ts";

test("lists the current agent's own table with what approval would do now", async () => {
  const opened = openTestProgram();
  expect((await opened.run(["tools"])).result.metadata).toMatchObject({ agent: null, tools: null });
  await opened.run(["provider", "claude-code"]);
  const asking = linesOf(await opened.run(["tools"]));
  expect(asking).toContain("Read                  read    passes: only reads inside the project");
  expect(asking).toContain(
    "Bash                  shell   asks: unless it only reads inside the project",
  );
  expect(asking).toContain("Write                 write   asks");
  await opened.run(["mode", "auto"]);
  expect(linesOf(await opened.run(["tools"]))).toContain(
    "Write                 write   passes: mode auto",
  );
});

test.each(AGENTS.filter(({ tools }) => tools !== undefined).map(({ name }) => [name]))(
  "knows the tools of %s",
  async (agent) => {
    const opened = openTestProgram();
    await opened.run(["provider", agent]);
    const { tools } = (await opened.run(["tools"])).result.metadata ?? {};
    const table = await AGENTS.find(({ name }) => name === agent)?.tools?.();
    expect(tools).toHaveLength(Object.keys(table?.tools ?? {}).length);
  },
);

test("adds what the agent's last run stated and used", async () => {
  const opened = openTestProgram();
  await opened.run(["provider", "claude-code"]);
  endedTurn(opened, { agent: "claude-code", tools: ["Read", "Older"] });
  endedTurn(opened, { agent: "claude-code", tools: ["Read", "Skill"], hasToolCall: true });
  endedTurn(opened, { agent: "codex", tools: ["another's"] });
  const { tools } = (await opened.run(["tools"])).result.metadata ?? {};
  expect(Array.isArray(tools) ? tools.slice(-2) : []).toEqual([
    { name: "Skill", kind: "other", isFromRun: true, approval: "asks" },
    { name: "mcp__files__list", kind: "mcp", isFromRun: true, approval: "asks" },
  ]);
});

test("says so where an agent names no tools", async () => {
  const opened = openTestProgram();
  await opened.run(["provider", "command"]);
  expect(textOf(await opened.run(["tools"]))).toBe("command names no tools");
});

test("in mode auto every kind passes, in the others only reading does unasked", () => {
  for (const kind of TOOL_KINDS)
    for (const mode of APPROVAL_MODES) {
      const passes = describeApproval(kind, mode).startsWith("passes");
      const isRead = kind === "read" || kind === "search";
      expect([kind, mode, passes]).toEqual([
        kind,
        mode,
        mode === "auto" || (mode === "ask" && isRead),
      ]);
    }
});
