import { describe, expect, test } from "vitest";
import { STEPS } from "../../../src/core/step/step.ts";
import { makePayload, makeToolCall } from "../../../src/hooks/commands/step-request.ts";
import { HOOK_AGENT_NAMES, hookAgentOf, installerOf } from "../../support/agents.ts";

const PLACE = { env: {}, cwd: "/elsewhere", correlationId: "c", time: "t" };
const NATIVE = { session: "s-1", cwd: "/project", time: new Date(0), prompt: "p", output: "o" };

describe.each(HOOK_AGENT_NAMES)("a payload made for %s", (name) => {
  const agent = hookAgentOf(name);
  const read = (step: (typeof STEPS)[number], flags = { command: "ls -l" }) => {
    const call = makeToolCall(agent, flags, "/project");
    const payload = makePayload(installerOf(name), { ...NATIVE, step, call });
    return payload === null ? null : agent.readStep(payload, PLACE);
  };

  test.each(STEPS)("is read back as the step it was made for: %s", (step) => {
    const envelope = read(step);
    if (agent.abilities.steps[step] === undefined) expect(envelope).toBeNull();
    else expect(envelope).toMatchObject({ step, session_id: "s-1", cwd: "/project" });
  });

  test("carries the shell line, the file, the prompt and the output", () => {
    const shell = read("before_tool");
    expect(shell?.kind).toBe("shell");
    expect(shell === null ? null : agent.shellLine(shell)).toBe("ls -l");
    const call = makeToolCall(agent, { path: "a/.env" }, "/project");
    const payload = makePayload(installerOf(name), { ...NATIVE, step: "before_tool", call });
    const file = agent.readStep(payload ?? {}, PLACE);
    expect(file === null ? null : agent.filePaths(file)).toEqual(["/project/a/.env"]);
    expect(read("before_prompt")?.prompt).toBe("p");
    expect(read("after_tool")?.output).toContain("o");
  });
});

// biome-ignore format: one case a line
const NAMES: readonly (readonly [string, string, string])[] = [
  ["claude-code", "Read", "Read"],
  ["codex", "Bash", "Bash"],
  ["gemini", "Bash", "run_shell_command"],
  ["gemini", "run_shell_command", "run_shell_command"],
  ["qwen", "Edit", "edit"],
  ["copilot", "Bash", "bash"],
  ["opencode", "Write", "write"],
  ["opencode", "mine_tool", "mine_tool"],
];
test.each(NAMES)("%s calls %s `%s`", (agent, name, own) => {
  expect(makeToolCall(hookAgentOf(agent), { tool: name }, "/").tool).toBe(own);
});
