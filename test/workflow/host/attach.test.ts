import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defineCommand } from "../../../src/core/command/definition.ts";
import { ok } from "../../../src/core/command/result.ts";
import { textOf } from "../../support/program-of-commands.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWorkflowHost } from "./workflow-host.ts";

const DENY_ALL = "tools: { deny: [shell, write, edit, read, search, fetch, mcp, agent, other] }";

/** The second stage is reached without a word of the person. */
const SHIP = `description: ship it
start: plan
stages:
  plan:
    prompt: "Plan it"
    hide: [model]
    commands: [wipe]
    next: build
  build:
    prompt: "Build it"
    ${DENY_ALL}
    next: done
  done: { ask: "Good?", next: end, otherwise: end }
`;

/** One stage that denies all but writing, about which a person is asked: it stays in its act until somebody answers. */
const HELD = `description: held
start: build
stages:
  build:
    prompt: "Build it"
    tools: { deny: [shell, read, search, edit], ask: [write] }
    hide: [model]
    next: end
`;

const WRITING = { steps: [{ write: { path: "made.txt", content: "made" } }, { say: "done" }] };

const wipe = defineCommand({
  description: "Remove everything",
  safety: "destructive",
  run: () => ok("gone"),
});

const sessionOf = (host: Awaited<ReturnType<typeof openWorkflowHost>>) => ({
  stage: () => host.testProgram.program.sessions().stages.read("s"),
  turns: () => host.testProgram.program.sessions().turns.list("s", 20),
  questions: () => host.testProgram.program.sessions().questions.listOpen(),
  adj: (...words: string[]) => host.testProgram.run(words, { sessionId: "s" }),
});

describe("an attached workflow", () => {
  test("enters its first stage and waits; the next prompt, even an empty one, starts the act", async () => {
    const host = await openWorkflowHost();
    const { stage, turns } = sessionOf(host);
    const id = await host.attach("ship.yaml", SHIP);
    expect(stage()).toMatchObject({ runId: id, workflow: "ship", stage: "plan", isActing: false });
    expect(turns()).toEqual([]);
    expect(host.journal.readRun(id)).toMatchObject({ status: "waiting", sessionId: "s" });
    expect(host.host().extensions.busy).toBe(0);
    await host.send("");
    await waitUntil(() => turns().some(({ agent, endedAt }) => agent !== null && endedAt !== null));
    expect(turns()[1]).toMatchObject({ prompt: "Plan it", agent: "replay", status: "done" });
  });

  test("gives its first stage what the person says with it, and starts the next ones itself", async () => {
    const host = await openWorkflowHost();
    const { stage, turns, questions } = sessionOf(host);
    const id = await host.attach("ship.yaml", SHIP);
    await host.send("with tests");
    await waitUntil(() => questions().length === 1);
    expect(turns().map(({ prompt }) => prompt)).toEqual([
      "with tests",
      "Plan it\n\nwith tests",
      "Build it",
    ]);
    expect(stage()).toMatchObject({ stage: "done", isActing: true });
    host.testProgram.program.sessions().questions.answer(questions()[0]?.id ?? "", true, "shell");
    const { run } = await host.untilEnded(id);
    expect([run?.status, stage()]).toEqual(["done", null]);
    const seen = host
      .events("WorkflowAttached", "StageEntered", "StageLeft", "WorkflowEnded")
      .map(({ type, sessionId, data }) => `${type} ${sessionId} ${data.stage ?? data.status}`);
    expect(seen).toEqual([
      "WorkflowAttached s plan",
      ...["plan", "build", "done"].flatMap((name) => [
        `StageEntered s ${name}`,
        `StageLeft s ${name}`,
      ]),
      "WorkflowEnded s done",
    ]);
  });

  test("is the only one of its session", async () => {
    const host = await openWorkflowHost();
    await host.attach("ship.yaml", SHIP);
    await expect(host.attach("held.yaml", HELD)).rejects.toThrow(
      "workflow `ship` is attached to this session already",
    );
    await host.attach("held.yaml", HELD, { sessionId: "other" });
  });

  test("owns the posture inside the turn: what it denies is refused, whatever mode the session has", async () => {
    const host = await openWorkflowHost({ cassette: WRITING });
    const { turns, adj } = sessionOf(host);
    await adj("mode", "auto");
    await host.attach(
      "deny.yaml",
      SHIP.replace('prompt: "Plan it"', `prompt: "Plan it"\n    ${DENY_ALL}`),
    );
    await host.send("");
    await waitUntil(() => turns().some(({ agent, endedAt }) => agent !== null && endedAt !== null));
    expect(existsSync(join(host.root, "made.txt"))).toBe(false);
    const decided = host.events("StepDecided").map(({ data }) => data);
    expect(decided[0]).toMatchObject({ reason: "refused by stage plan" });
  });
});

describe("in the middle of an act that denies everything", () => {
  async function hold() {
    const host = await openWorkflowHost({ cassette: WRITING, commands: { wipe } });
    const session = sessionOf(host);
    const id = await host.attach("held.yaml", HELD);
    await host.send("");
    await waitUntil(() => session.questions().length === 1);
    expect(session.stage()).toMatchObject({ stage: "build", isActing: true });
    const answer = () =>
      host.testProgram.program
        .sessions()
        .questions.answer(session.questions()[0]?.id ?? "", { decision: "yes" }, "shell");
    return { host, id, answer, ...session };
  }

  test("no command is gated: one that reads, one that writes, one that is hidden", async () => {
    const { adj } = await hold();
    expect(textOf(await adj("help", "params"))).toContain("params");
    expect((await adj("mode", "allowlist")).kind).toBe("ok");
    expect((await adj("model", "m2")).kind).toBe("ok");
    expect(textOf(await adj("commands"))).not.toMatch(/^model /m);
  });

  test("no command moves the stage", async () => {
    const { adj, stage, host, id } = await hold();
    const before = [stage(), host.journal.readRun(id)?.status];
    for (const words of [["provider", "codex"], ["model", "m2"], ["mode", "auto"], ["tools"]])
      await adj(...words);
    expect([stage(), host.journal.readRun(id)?.status]).toEqual(before);
  });

  test("`params` is refused until the act is over", async () => {
    const { adj, answer, host, id } = await hold();
    const refused = await adj("params", "max_turns=5");
    expect(refused.error).toMatchObject({
      code: "StageActive",
      message: "`params` is refused while stage `build` of workflow `held` acts",
    });
    expect(refused.result.exitCode).toBe(2);
    answer();
    await host.untilEnded(id);
    expect(existsSync(join(host.root, "made.txt"))).toBe(true);
    expect((await adj("params", "max_turns=5")).kind).toBe("ok");
  });

  test("a further prompt of the person is an ordinary turn behind it", async () => {
    const { host, answer, turns, id } = await hold();
    await host.send("and you?");
    answer();
    await host.untilEnded(id);
    await waitUntil(() => turns().every(({ endedAt }) => endedAt !== null));
    expect(turns().map(({ prompt, agent }) => [prompt, agent])).toEqual([
      ["", null],
      ["Build it", "replay"],
      ["and you?", "replay"],
    ]);
  });

  test("detaching ends the act, and the posture with it", async () => {
    const { host, stage, turns, id, questions } = await hold();
    await host.call("detach", { sessionId: "s" });
    expect(stage()).toBe(null);
    expect(host.journal.readRun(id)).toMatchObject({
      status: "stopped",
      reason: "it was detached",
    });
    await waitUntil(() => turns().every(({ endedAt }) => endedAt !== null));
    expect([turns().at(-1)?.status, questions()]).toEqual(["cancelled", []]);
    expect(host.events("WorkflowDetached").map(({ data }) => data.stage)).toEqual(["build"]);
  });
});

describe("after the host was gone", () => {
  test("a session comes back in the stage where it waits, and its prompt starts it", async () => {
    const host = await openWorkflowHost();
    const { stage, turns, questions } = sessionOf(host);
    await host.attach("ship.yaml", SHIP);
    await host.restart();
    expect(stage()).toMatchObject({ stage: "plan", isActing: false });
    expect(turns()).toEqual([]);
    await host.send("now");
    await waitUntil(() => questions().length === 1);
    expect(turns().map(({ prompt }) => prompt)).toEqual(["now", "Plan it\n\nnow", "Build it"]);
  });

  test("a session goes on in the stage that was under way; finished ones are neither acted nor told again", async () => {
    const host = await openWorkflowHost();
    const { stage, turns, questions } = sessionOf(host);
    const id = await host.attach("ship.yaml", SHIP);
    await host.send("");
    await waitUntil(() => questions().length === 1);
    await host.restart();
    await waitUntil(() => host.host().extensions.busy === 1);
    expect(stage()).toMatchObject({ stage: "done" });
    host.testProgram.program.sessions().questions.answer(questions()[0]?.id ?? "", true, "shell");
    await host.untilEnded(id);
    expect(turns()).toHaveLength(3);
    const entered = host.events("StageEntered").map(({ data }) => data.stage);
    expect(entered).toEqual(["plan", "build", "done"]);
  });
});
