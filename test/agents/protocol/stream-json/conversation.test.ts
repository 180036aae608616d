// Conversations by stream-json with a small program that speaks it; test/live/conversations has the real ones.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ToolAnswer } from "../../../../src/agents/run/conversation.ts";
import { expectNothingLeft, ofKind, open, say, tryOpen } from "./converse.ts";

const ENDED = { kind: "ended" };

describe.each(["claude-code", "qwen"])("with %s", (agent) => {
  test("prompts go to one process, each with its model and the figures of its own turn", async () => {
    const { conversation, runId, place } = await open({ agent, settings: { model: "claude-a" } });
    const first = await say(conversation, "one");
    expect(first.ending).toEqual(ENDED);
    expect(conversation.id).toBe("session-1");
    const second = await say(conversation, "tell", { model: "claude-b" });
    expect(JSON.parse(second.text)).toMatchObject({ history: ["one", "tell"], model: "claude-b" });
    const third = await say(conversation, "tell");
    expect(JSON.parse(third.text)).toMatchObject({ model: "claude-a" });
    for (const turn of [first, second, third]) {
      expect(ofKind(turn, "final")).toHaveLength(1);
      expect(ofKind(turn, "usage")).toMatchObject([{ figures: { input: 100, output: 10 } }]);
      expect(ofKind(turn, "init")[0]?.sessionId).toBe("session-1");
    }
    const models = [first, second, third].map((turn) =>
      ofKind(turn, "init").map(({ model }) => model),
    );
    expect(models.map((seen) => new Set(seen))).toEqual([
      new Set(["claude-a"]),
      new Set(["claude-b"]),
      new Set(["claude-a"]),
    ]);
    await conversation.close();
    expect(conversation.isOpen).toBe(false);
    expectNothingLeft(runId);
    expect(readFileSync(join(place.folder, "log", "stdout"), "utf8")).toContain("You said one");
  });

  test("a tool is asked about; what was allowed runs, and the reason of a refusal goes back with it", async () => {
    const { conversation } = await open({ agent });
    const allowed = await say(conversation, "tool touch a", {
      answer: { kind: "allow", args: null },
    });
    expect(allowed.asked).toMatchObject([
      { callId: "call-1", tool: "Bash", args: { command: "touch a" } },
    ]);
    expect(JSON.parse(allowed.text)).toEqual({
      behavior: "allow",
      updatedInput: { command: "touch a" },
    });
    expect(ofKind(allowed, "tool_result")).toMatchObject([{ id: "call-1", permission: "allowed" }]);
    const other: ToolAnswer = { kind: "allow", args: { command: "touch b" } };
    const changed = await say(conversation, "tool touch a", { answer: other });
    expect(JSON.parse(changed.text).updatedInput).toEqual({ command: "touch b" });
    const denied = await say(conversation, "tool rm a", {
      answer: { kind: "deny", reason: "not a" },
    });
    expect(JSON.parse(denied.text)).toEqual({ behavior: "deny", message: "not a" });
    expect(ofKind(denied, "tool_result")).toMatchObject([{ permission: "denied", isError: true }]);
  });

  test("an id that the agent does not know is forgotten, and nothing is sent", async () => {
    const resume = agent === "qwen" ? "forgotten-by-stderr" : "forgotten-by-event";
    const { conversation } = await open({ agent, resume });
    const { ending, events } = await say(conversation, "go on");
    expect(ending).toEqual({ kind: "forgotten", problem: expect.stringContaining(resume) });
    expect(events).toEqual([]);
    expect(conversation.isOpen).toBe(false);
  });
});

describe("a turn that is cancelled", () => {
  test("is stopped by the protocol, and the next prompt works", async () => {
    const { conversation } = await open();
    const stop = new AbortController();
    const onEvent = () => stop.abort();
    const turn = await say(conversation, "hang", { signal: stop.signal, onEvent });
    expect(turn.ending).toEqual({ kind: "cancelled" });
    expect(turn.text).toBe("I wait");
    expect(ofKind(turn, "error")).toEqual([]);
    expect(ofKind(turn, "final")).toHaveLength(1);
    expect((await say(conversation, "more")).text).toBe("You said more");
  });

  test("ends the process where the agent does not stop", async () => {
    const { conversation, runId } = await open();
    const stop = new AbortController();
    const onEvent = () => stop.abort();
    const { ending } = await say(conversation, "deaf", { signal: stop.signal, onEvent });
    expect(ending).toEqual({ kind: "cancelled" });
    expect(conversation.isOpen).toBe(false);
    expectNothingLeft(runId);
  });

  test("answers the question that is open, and tells whoever decides", async () => {
    const { conversation } = await open();
    const stop = new AbortController();
    let wasTold = false;
    const turn = await say(conversation, "tool rm a", {
      signal: stop.signal,
      decideTool: ({ signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            wasTold = true;
          });
          stop.abort();
        }),
    });
    expect(turn.ending).toEqual({ kind: "cancelled" });
    expect(wasTold).toBe(true);
    expect(ofKind(turn, "tool_result")[0]?.result).toContain("the turn was cancelled");
  });

  test("before anything is sent sends nothing", async () => {
    const { conversation } = await open();
    const first = new AbortController();
    const sending = say(conversation, "one", { signal: first.signal });
    first.abort();
    expect((await sending).ending).toEqual({ kind: "cancelled" });
    expect(JSON.parse((await say(conversation, "tell")).text).history).toEqual(["tell"]);
  });
});

describe("an agent that is lost", () => {
  test.each([
    ["dies", "die", /exited with 3: something broke/],
    ["prints what is no JSON", "noise", /no JSON: this is no JSON/],
    ["prints a line without end", "line", /a line of over/],
  ])("because it %s says so in a sentence", async (_, prompt, problem) => {
    const { conversation, runId } = await open();
    await say(conversation, "one");
    const { ending } = await say(conversation, prompt);
    expect(ending).toEqual({ kind: "lost", problem: expect.stringMatching(problem) });
    expect(conversation.isOpen).toBe(false);
    expect((await say(conversation, "again")).ending.kind).toBe("lost");
    expectNothingLeft(runId);
  });

  test("because it cannot be started says so in a sentence", async () => {
    const { conversation } = await open({ program: "/nowhere/at-all" });
    const problem = expect.stringContaining("could not be started");
    expect((await say(conversation, "one")).ending).toEqual({ kind: "lost", problem });
  });

  test("because it was closed in the middle of a turn leaves nothing", async () => {
    const { conversation, runId } = await open();
    const { ending } = await say(conversation, "hang", {
      onEvent: () => void conversation.close(),
    });
    expect(ending).toEqual({ kind: "lost", problem: "the conversation was closed" });
    await conversation.close();
    expectNothingLeft(runId);
  });
});

describe("what an agent says besides", () => {
  test("a question that it withdraws is over for whoever decides, and is not answered", async () => {
    const { conversation } = await open();
    const told = Promise.withResolvers<void>();
    const turn = await say(conversation, "withdraw rm a", {
      decideTool: ({ signal }) =>
        new Promise(() => signal.addEventListener("abort", () => told.resolve())),
    });
    await told.promise;
    expect(turn.ending).toEqual(ENDED);
    expect(ofKind(turn, "tool_result")).toEqual([]);
  });

  test("a request for what is not offered is refused", async () => {
    const { conversation } = await open();
    const { text } = await say(conversation, "offer");
    expect(JSON.parse(text)).toMatchObject({
      subtype: "error",
      error: "`mcp_message` is not offered",
    });
  });

  test("a repeated prompt and the refusals of earlier turns are no events", async () => {
    const { conversation } = await open();
    const turn = await say(conversation, "replay");
    expect(turn.events.map(({ kind }) => kind)).toEqual([
      "init",
      "message",
      "init",
      "usage",
      "final",
    ]);
  });

  test("an agent that begins to count anew is counted anew", async () => {
    const { conversation } = await open();
    await say(conversation, "one");
    const cleared = await say(conversation, "clear");
    const next = await say(conversation, "two");
    for (const turn of [cleared, next])
      expect(ofKind(turn, "usage")).toMatchObject([{ figures: { input: 100 }, costUsd: 0.1 }]);
  });

  test("the failure of a sub-agent of Qwen Code does not end the turn", async () => {
    const { conversation } = await open({ agent: "qwen" });
    const turn = await say(conversation, "inner");
    expect(turn.text).toBe("after all");
    expect(ofKind(turn, "final")).toMatchObject([{ isSuccess: true }]);
  });

  test("a prompt waits for a turn that the agent took by itself, in which it may do nothing", async () => {
    const { conversation } = await open();
    await say(conversation, "wake");
    const turn = await say(conversation, "tell");
    const { history } = JSON.parse(turn.text);
    expect(history).toEqual(["wake", expect.stringContaining("nobody is there"), "tell"]);
    expect(turn.asked).toEqual([]);
  });

  test("a model that it refuses fails the turn, and the prompt is not sent", async () => {
    const { conversation } = await open();
    const turn = await say(conversation, "one", { model: "claude-a" });
    expect(turn.ending).toEqual(ENDED);
    const refused = await say(conversation, "two", { model: "refused-model" });
    expect(refused.ending).toEqual(ENDED);
    expect(ofKind(refused, "error")[0]?.message).toContain("no such model");
    expect(ofKind(refused, "final")).toMatchObject([{ isSuccess: false }]);
    expect(JSON.parse((await say(conversation, "tell")).text).history).toEqual(["one", "tell"]);
  });
});

describe("opening", () => {
  test("refuses what can be known to be wrong, and starts nothing", async () => {
    const { opened, place } = await tryOpen({ settings: { model: "gpt-9", temperature: 0.5 } });
    const paths = opened.kind === "refused" ? opened.errors.map(({ path }) => path) : [];
    expect(paths).toEqual(["model", "temperature"]);
    expect(existsSync(join(place.folder, "log"))).toBe(false);
  });

  test.each([
    ["claude-code", "--dangerously-skip-permissions"],
    ["claude-code", "-c"],
    ["qwen", "-y"],
    ["qwen", "--approval-mode=yolo"],
  ])("refuses a flag of %s by which nobody would be asked: %s", async (agent, flag) => {
    const { opened } = await tryOpen({ agent, settings: { extra_args: [flag] } });
    expect(opened).toMatchObject({ kind: "refused", errors: [{ path: "extra_args" }] });
  });

  test.each([
    ["claude-code", "auto", "--permission-mode", "default"],
    ["claude-code", "plan", "--permission-mode", "plan"],
    ["qwen", "yolo", "--approval-mode", "default"],
  ])("tells %s under `%s` to ask", async (agent, permission_mode, flag, value) => {
    const { conversation } = await open({ agent, settings: { permission_mode } });
    const { words } = JSON.parse((await say(conversation, "tell")).text);
    expect(words[words.indexOf(flag) + 1]).toBe(value);
    expect(words).not.toContain("--dangerously-skip-permissions");
  });

  test("goes on with a conversation by its id, and does not count what it had cost before", async () => {
    const { conversation } = await open({ agent: "qwen", resume: "session-7" });
    expect(conversation.id).toBe("session-7");
    const first = await say(conversation, "one");
    const second = await say(conversation, "two");
    expect(conversation.id).toBe("session-7");
    expect(ofKind(first, "usage")).toMatchObject([{ figures: { input: null, output: null } }]);
    expect(ofKind(second, "usage")).toMatchObject([{ figures: { input: 100, output: 10 } }]);
  });
});
