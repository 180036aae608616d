import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { beforeTool, openGateLab } from "./gate-lab.ts";

const run = promisify(execFile);
const answerElsewhere = (stateDir: string, answer: unknown) =>
  run(process.execPath, [
    fileURLToPath(new URL("fixtures/answer-question.ts", import.meta.url)),
    stateDir,
    JSON.stringify(answer),
  ]);

const rule = (name: string, builtin: string, match: string, more = "") => `hooks:
  - { name: ${name}, on: before_tool, match: ${match}, run: { builtin: ${builtin}${more} } }
`;

describe("a call that the agent asks about", () => {
  test("passes where it only reads inside the project, and nobody is asked", async () => {
    const lab = openGateLab();
    expect(await lab.decide("Bash", { command: "ls src" })).toEqual({ kind: "allow", args: null });
    expect(await lab.decide("Read", { file_path: "x" })).toEqual({ kind: "allow", args: null });
    expect(lab.asked).toEqual([]);
    expect(lab.recorded()).toEqual([
      "StepDecided before_tool allow",
      "StepDecided before_tool allow",
    ]);
  });

  test("is a row that a person answers from another process", { timeout: 60_000 }, async () => {
    const lab = openGateLab();
    const asking = lab.decide("Bash", { command: "npm test" });
    const { stdout } = await answerElsewhere(lab.stateDir, { decision: "yes" });
    expect(JSON.parse(stdout)).toEqual({
      isFirst: true,
      text: "claude-code wants to use `Bash`: `npm test` (it may change something)",
      choices: ["yes", "yes-session", "no", "no-with-words"],
    });
    expect(await asking).toEqual({ kind: "allow", args: null });
    expect(lab.recorded()).toEqual([
      "InteractionRaised",
      "InteractionAnswered yes",
      "StepDecided before_tool allow",
    ]);
  });

  test("leaves no value that is known for a secret, however late, in a row or a rule", async () => {
    const word = "correct horse battery";
    let secrets: readonly string[] = [];
    const lab = openGateLab({ answer: { decision: "session" }, secrets: () => secrets });
    secrets = [word];
    await lab.decide("Bash", { command: `rm '${word}' ${"x".repeat(1_900)} '${word}'` });
    const [question] = lab.asked;
    expect(question?.text).toContain("[secret]");
    expect(question?.choices).not.toContain("yes-session");
    const kept = JSON.stringify([question, lab.rules, [...lab.audit.read({})]]);
    expect(kept).not.toMatch(/correct|battery/);
  });

  test.each([
    [{ decision: "no" }, "the person said no"],
    [{ decision: "no", words: "use make" }, "the person said no: use make"],
    [() => null, "nobody answered"],
  ])("is refused by %j with words for the model", async (answer, reason) => {
    const lab = openGateLab({ answer });
    expect(await lab.decide("Write", { file_path: "x", content: "" })).toEqual({
      kind: "deny",
      reason,
    });
    expect(lab.recorded().at(-1)).toBe("StepDecided before_tool veto");
  });

  test("once said yes to for the session is not asked again, nor is the like of it", async () => {
    const lab = openGateLab({ answer: { decision: "session" } });
    await lab.decide("Bash", { command: "npm test -- a" });
    expect(await lab.decide("Bash", { command: "npm test -- b" })).toMatchObject({ kind: "allow" });
    expect(lab.asked).toHaveLength(1);
    expect(lab.rules).toEqual([lab.asked[0]?.details.rule]);
    await lab.decide("Bash", { command: "npm publish" });
    expect(lab.asked).toHaveLength(2);
  });

  test("that a guard refuses is asked of nobody, in any mode", async () => {
    for (const mode of ["ask", "auto"] as const) {
      const hooks = rule(
        "no-push",
        "deny",
        '{ command: "git push*" }',
        ", with: { reason: never }",
      );
      const lab = openGateLab({ hooks, mode });
      const answer = await lab.decide("Bash", { command: "git push" });
      expect(answer).toEqual({ kind: "deny", reason: expect.stringContaining("never") });
      expect(lab.asked).toEqual([]);
    }
  });

  test("that a hook wants asked is asked in auto too; all else passes there", async () => {
    const hooks = rule("look", "require-approval", '{ command: "git push*" }');
    const lab = openGateLab({ hooks, mode: "auto", answer: { decision: "yes" } });
    await lab.decide("Bash", { command: "rm -rf build" });
    expect(lab.asked).toHaveLength(0);
    expect(await lab.decide("Bash", { command: "git push" })).toMatchObject({ kind: "allow" });
    expect(lab.asked).toHaveLength(1);
  });

  test("that a handler rewrote is asked about, and runs, as rewritten", async () => {
    const hooks = `hooks:
  - { name: dry, on: before_tool, run: { argv: [./dry] } }
`;
    const lab = openGateLab({ hooks, answer: { decision: "yes" } });
    writeDry(lab.configDir);
    const answer = await lab.decide("Bash", { command: "make install" });
    expect(answer).toEqual({ kind: "allow", args: { command: "make -n install" } });
    expect(lab.asked[0]?.text).toContain("`make -n install`");
  });

  test("by an agent without a table is asked about, and guarded by its line", async () => {
    const hooks = rule("no-push", "deny", '{ command: "git push*" }');
    const lab = openGateLab({ hooks, agent: "acp", answer: { decision: "yes" } });
    expect(await lab.decide("shell", { command: "git push" })).toMatchObject({ kind: "deny" });
    expect(await lab.decide("frobnicate", {})).toMatchObject({ kind: "allow" });
    expect(lab.asked).toHaveLength(1);
  });

  test("ends with the turn, and is refused then", async () => {
    const lab = openGateLab();
    const asking = lab.decide("Bash", { command: "make" });
    await waitUntil(() => lab.state.questions.listOpen().length === 1);
    lab.end.abort();
    expect(await asking).toEqual({ kind: "deny", reason: "nobody answered" });
    expect(lab.state.questions.listOpen()).toEqual([]);
  });

  test("is refused where deciding fails", async () => {
    const lab = openGateLab({
      answer: () => {
        throw new Error("the window broke");
      },
    });
    expect(await lab.decide("Bash", { command: "make" })).toEqual({
      kind: "deny",
      reason: "it could not be approved: the window broke",
    });
  });
});

/** A handler that makes a dry run of every install. */
function writeDry(configDir: string): void {
  const script = `#!/bin/sh
case $(cat) in *"make install"*) echo '{"args":{"command":"make -n install"}}';; esac
`;
  writeFileSync(join(configDir, "dry"), script, { mode: 0o755 });
}

describe("a call that reaches us twice is one", () => {
  test("by the hook and then by the agent's question", async () => {
    const lab = openGateLab({ answer: { decision: "yes" } });
    const { said } = await lab.hook(beforeTool("Bash", { command: "make" }, "id-1"), "turn");
    expect(said.permissionDecision).toBe("allow");
    expect(await lab.decide("Bash", { command: "make" }, { callId: "id-1" })).toEqual({
      kind: "allow",
      args: null,
    });
    expect(lab.asked).toHaveLength(1);
    expect(lab.recorded().filter((word) => word.startsWith("StepDecided"))).toHaveLength(1);
  });

  test("by the agent's question and then by the hook, while the person still thinks", async () => {
    const lab = openGateLab();
    const asking = lab.decide("Bash", { command: "make" }, { callId: "id-1" });
    const hooked = lab.hook(beforeTool("Bash", { command: "make" }, "id-1"), "turn");
    await waitUntil(() => lab.state.questions.listOpen().length === 1);
    const [open] = lab.state.questions.listOpen();
    lab.state.questions.answer(open?.id ?? "", { decision: "no", words: "later" }, "shell");
    expect(await asking).toMatchObject({ kind: "deny" });
    expect((await hooked).said).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "the person said no: later",
    });
    expect(lab.asked).toHaveLength(1);
  });

  test("by the question of Qwen and its hook, which has an id of its own beside the call's", async () => {
    const lab = openGateLab({ agent: "qwen", answer: { decision: "yes" } });
    const args = { command: "make", is_background: false };
    await lab.decide("run_shell_command", args, { callId: "id-1" });
    const call = beforeTool("run_shell_command", args, "hook-1");
    await lab.hook({ ...call, tool_call_id: "id-1" }, "turn");
    expect(lab.asked).toHaveLength(1);
  });

  test("by the hook of the run, an installed one and the one before a permission", async () => {
    const lab = openGateLab({ answer: { decision: "yes" } });
    const call = beforeTool("Bash", { command: "make" }, "id-1");
    await lab.hook(call, "turn");
    await lab.hook(call, "PreToolUse");
    const permission = {
      ...beforeTool("Bash", { command: "make" }),
      hook_event_name: "PermissionRequest",
    };
    expect((await lab.hook(permission, "turn")).said.decision).toEqual({ behavior: "allow" });
    expect(lab.asked).toHaveLength(1);
  });

  test("but a second one like it is another, with an id and without", async () => {
    const lab = openGateLab({ answer: { decision: "yes" } });
    const make = { command: "make" };
    await lab.hook(beforeTool("Bash", make, "id-1"), "turn");
    await lab.decide("Bash", make, { callId: "id-2" });
    expect(lab.asked).toHaveLength(2);
    const bare = openGateLab({ answer: { decision: "yes" } });
    await bare.hook(beforeTool("Bash", make), "turn");
    await bare.decide("Bash", make, { callId: null });
    expect(bare.asked).toHaveLength(1);
    await bare.decide("Bash", make, { callId: null });
    expect(bare.asked).toHaveLength(2);
  });

  test("but not after it has run, nor in the next turn", async () => {
    const lab = openGateLab({ answer: { decision: "yes" } });
    const make = { command: "make" };
    await lab.hook(beforeTool("Bash", make), "turn");
    const after = {
      ...beforeTool("Bash", make),
      hook_event_name: "PostToolUse",
      tool_response: {},
    };
    await lab.hook(after, "turn");
    await lab.decide("Bash", make, { callId: null });
    expect(lab.asked).toHaveLength(2);
    lab.gate.endTurn("run-1");
    await lab.hook(beforeTool("Bash", make), "turn");
    expect(lab.asked).toHaveLength(3);
  });

  test("with the approved arguments, whichever it brings; others void the yes", async () => {
    const hooks = `hooks:
  - { name: dry, on: before_tool, run: { argv: [./dry] } }
`;
    const lab = openGateLab({ hooks, answer: { decision: "yes" } });
    writeDry(lab.configDir);
    const typed = { command: "make install" };
    const dry = { command: "make -n install" };
    const { said } = await lab.hook(beforeTool("Bash", typed, "id-1"), "turn");
    expect(said).toMatchObject({ permissionDecision: "allow", updatedInput: dry });
    // The agent that took the rewrite brings it, one that did not is given it again.
    expect(await lab.decide("Bash", dry, { callId: "id-1" })).toEqual({
      kind: "allow",
      args: null,
    });
    await lab.hook(beforeTool("Bash", typed, "id-2"), "turn");
    expect(await lab.decide("Bash", typed, { callId: "id-2" })).toEqual({
      kind: "allow",
      args: dry,
    });
    expect(lab.asked).toHaveLength(2);
    await lab.hook(beforeTool("Bash", typed, "id-3"), "turn");
    await lab.decide("Bash", { command: "make all" }, { callId: "id-3" });
    expect(lab.asked.map(({ text }) => /`(make[^`]*)`/.exec(text)?.[1])).toEqual([
      "make -n install",
      "make -n install",
      "make -n install",
      "make all",
    ]);
  });
});

describe("a hook inside a turn", () => {
  test("is never answered with no opinion before a tool", async () => {
    const lab = openGateLab({ answer: { decision: "no" } });
    const read = await lab.hook(beforeTool("Read", { file_path: "x" }), "turn");
    expect(read.said.permissionDecision).toBe("allow");
    const make = await lab.hook(beforeTool("Bash", { command: "make" }), "turn");
    expect(make.said).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "the person said no",
    });
    expect((await lab.hook({ hook_event_name: "Stop" }, "turn")).reply.stdout).toBe("{}");
  });

  test("before a permission has the handlers of both steps", async () => {
    const hooks = `hooks:
  - { name: no-make, on: before_permission, match: { command: "make*" }, run: { builtin: deny } }
  - { name: no-push, on: before_tool, match: { command: "git push*" }, run: { builtin: deny } }
`;
    const lab = openGateLab({ hooks, mode: "auto" });
    const ask = async (command: string) =>
      (
        await lab.hook(
          { ...beforeTool("Bash", { command }), hook_event_name: "PermissionRequest" },
          "turn",
        )
      ).said.decision.behavior;
    expect(await ask("make")).toBe("deny");
    expect(await ask("git push")).toBe("deny");
    expect(await ask("npm test")).toBe("allow");
  });

  test("whose caller gives up takes its question back", async () => {
    const lab = openGateLab();
    const gone = new AbortController();
    const asking = lab.hook(beforeTool("Bash", { command: "make" }), "turn", gone.signal);
    await waitUntil(() => lab.state.questions.listOpen().length === 1);
    gone.abort();
    expect((await asking).said.permissionDecision).toBe("deny");
    expect(lab.state.questions.listOpen()).toEqual([]);
  });

  test.each(["claude-code", "codex", "gemini", "qwen", "copilot", "opencode"])(
    "of %s that cannot be read is refused",
    async (agent) => {
      const lab = openGateLab({ agent });
      const call = { agent, payload: '{"half', env: {}, cwd: lab.root };
      const { stdout } = await lab.gate.answerHook(
        { ...call, signal: new AbortController().signal },
        lab.turn,
      );
      expect(stdout).toMatch(/deny|block/);
      expect(stdout).toContain("nobody could be asked");
    },
  );
});

test("nothing secret of a call is found in the stores", async () => {
  const key = `ghp_${"a1B2c3".repeat(6)}`;
  const lab = openGateLab({ answer: { decision: "session" } });
  await lab.decide("Bash", { command: `curl -H "Authorization: Bearer ${key}" https://x.test` });
  await lab.hook(beforeTool("Bash", { command: `deploy --token ${key}` }), "turn");
  for (const name of ["audit.db", "audit.db-wal", "state.db", "state.db-wal"])
    expect(readFileSync(join(lab.stateDir, name)).includes(key)).toBe(false);
  expect(JSON.stringify(lab.asked)).not.toContain(key);
});
