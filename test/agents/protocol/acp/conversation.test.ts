import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { LogEvent } from "../../../../src/agents/log/event.ts";
import { findAgent } from "../../../../src/agents/roster.ts";
import type { Conversation, ToolAnswer } from "../../../../src/agents/run/conversation.ts";
import { findMembersInProc } from "../../../../src/core/process/process-tree.ts";
import { inTier } from "../../../support/tier.ts";
import { makePlace } from "../../run/scripted-agent.ts";
import { sendTurn } from "../../run/send-turn.ts";

const PROGRAM = join(import.meta.dirname, "fixtures", "staying-agent.ts");
const RUN_ID = randomUUID();
const opened: Conversation[] = [];

afterEach(async () => {
  for (const conversation of opened.splice(0)) await conversation.close();
  expect(members()).toEqual([]);
});

const members = () =>
  findMembersInProc({ pid: 0, runId: RUN_ID, ownsGroup: false, since: 0 }).members;

interface Opening {
  readonly argv?: readonly string[];
  readonly traits?: readonly string[];
  readonly settings?: object;
  readonly resume?: string;
}

async function tryOpen({ argv, traits = [], settings, resume }: Opening) {
  const { folder, workspace, home } = makePlace();
  const way = await findAgent("acp")?.conversation?.();
  const logDir = join(folder, "log");
  const result = await way?.open({
    workspaceDir: workspace,
    env: { PATH: process.env.PATH ?? "", HOME: home, TEST_API_KEY: "hush-hush-hush" },
    ...{ runId: RUN_ID, logDir, resume: resume ?? null, stepHook: null },
    settings: { argv: argv ?? [process.execPath, PROGRAM, ...traits], ...settings },
  });
  if (result === undefined) throw new Error("the agent has no conversations");
  if (result.kind === "open") opened.push(result.conversation);
  return { result, logDir };
}

async function open(opening: Opening = {}) {
  const { result, logDir } = await tryOpen(opening);
  if (result.kind === "refused") throw new Error(JSON.stringify(result.errors));
  const { conversation } = result;
  const send = (prompt: string, changes?: Parameters<typeof sendTurn>[2]) =>
    sendTurn(conversation, prompt, changes);
  return { conversation, logDir, send };
}

const deny = (reason: string) => async (): Promise<ToolAnswer> => ({ kind: "deny", reason });
const abortOnDelta = () => {
  const stop = new AbortController();
  return {
    signal: stop.signal,
    onEvent: ({ kind }: LogEvent) => kind === "delta" && stop.abort(),
  };
};
const kindsOf = (events: readonly LogEvent[]) => events.map(({ kind }) => kind);
const usageOf = (events: readonly LogEvent[]) =>
  events.flatMap((event) => (event.kind === "usage" ? [event] : []));

describe("prompts of a conversation", () => {
  test("go to one process, each a turn with its own beginning, figures and end", async () => {
    const { conversation, send, logDir } = await open();
    expect([conversation.id, members().length]).toEqual([null, 0]);
    const first = await send("say hush-hush-hush");
    const second = await send("prompts");
    expect(conversation.id).toBe("s-1");
    expect(members()).toHaveLength(1);
    for (const { ending, events } of [first, second]) {
      expect(ending).toEqual({ kind: "ended" });
      expect(kindsOf(events)).toEqual(["init", "delta", "usage", "message", "final"]);
      expect(events[0]).toMatchObject({ sessionId: "s-1", model: "Small", agentVersion: "9.9.9" });
      expect(usageOf(events)).toMatchObject([{ figures: { input: 10, output: 10 } }]);
      expect(events.at(-1)).toMatchObject({ isSuccess: true, stopReason: "end_turn" });
    }
    expect(second.said).toEqual(["say hush-hush-hush|prompts"]);
    await conversation.close();
    const saved = readFileSync(join(logDir, "stdout"), "utf8");
    expect(saved).toContain('"sessionId":"s-1"');
    expect(saved).not.toContain("hush-hush-hush");
  });

  test("choose their model, which stays until another is chosen", async () => {
    const { send } = await open();
    expect((await send("model", { model: "big" })).said).toEqual(["big"]);
    const later = await send("model");
    expect(later.said).toEqual(["big"]);
    expect(later.events[0]).toMatchObject({ kind: "init", model: "big" });
    expect((await send("model", { model: "small" })).said).toEqual(["small"]);
    const wrong = await send("model", { model: "huge" });
    expect(wrong.ending).toEqual({ kind: "ended" });
    expect(wrong.events).toMatchObject([
      { kind: "error", reason: "INVALID_CONFIG", message: expect.stringContaining("`huge`") },
      { kind: "final", isSuccess: false },
    ]);
    expect((await send("prompts")).said).toEqual(["model|model|model|prompts"]);
  });

  test("of an agent that counts over the session have figures of their own", async () => {
    const { send } = await open({ traits: ["counts-all"] });
    const turns = [await send("say a"), await send("say b"), await send("cost 0.5")];
    const later = await send("cost 0.75");
    const figures = [...turns, later].flatMap(({ events }) => usageOf(events));
    expect(figures.map((event) => event.figures.input)).toEqual([10, 10, 10, 10]);
    expect(figures.map(({ costUsd }) => costUsd)).toEqual([null, null, 0.5, 0.25]);
  });

  test("fail with the agent's own word, and the next one works", async () => {
    const { send } = await open();
    const failed = await send("fail");
    expect(failed.ending).toEqual({ kind: "ended" });
    expect(failed.events.slice(1)).toMatchObject([
      { kind: "error", reason: "RATE_LIMIT" },
      { kind: "final", isSuccess: false },
    ]);
    expect((await send("noise")).said).toEqual(["still here"]);
  });

  test("are asked about in the mode in which the agent asks, whatever the settings say", async () => {
    const { send } = await open({ settings: { permission_mode: "auto", allowed_tools: ["x"] } });
    const received = (await send("received")).said.join("");
    expect(received).toContain(
      '"session/set_mode","params":{"sessionId":"s-1","modeId":"default"}',
    );
    const stubborn = await open({ traits: ["stubborn"] });
    const refused = await stubborn.send("prompts");
    expect(refused.events).toMatchObject([{ kind: "error" }, { kind: "final", isSuccess: false }]);
  });
});

describe("a tool that the agent asks about", () => {
  test("is allowed this once, with the agent's own words for it", async () => {
    const { send } = await open();
    const { asked, said, events } = await send("ask touch it");
    expect(asked).toMatchObject([{ tool: "execute", args: { command: "touch it" } }]);
    expect(said).toEqual(["yes"]);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: "tool_result", permission: "allowed" }),
    );
  });

  test.each([[[]], [["goes-on"]]])(
    "is refused, and the words follow in the same turn, with an agent that is %j",
    async (traits) => {
      const { send } = await open({ traits });
      const { ending, events, said } = await send("ask touch it", {
        decideTool: deny("no touching"),
      });
      const words = "The person refused `execute`: no touching";
      expect(ending).toEqual({ kind: "ended" });
      expect(said.at(-1)).toBe("person refused `execute`: no touching");
      expect(events.filter(({ kind }) => kind === "final")).toHaveLength(1);
      expect(usageOf(events)).toMatchObject([{ figures: { input: 20 } }]);
      expect(events).toContainEqual(expect.objectContaining({ role: "user", content: words }));
      expect((await send("prompts")).said).toEqual([`ask touch it|${words}|prompts`]);
    },
  );

  test("is refused without words, and no words follow", async () => {
    const { send } = await open();
    await send("ask touch it", { decideTool: deny("") });
    expect((await send("prompts")).said).toEqual(["ask touch it|prompts"]);
  });

  test("does not run as it was asked about where other arguments were approved", async () => {
    const { send } = await open();
    const decideTool = async (): Promise<ToolAnswer> => ({
      kind: "allow",
      args: { command: "touch other" },
    });
    const { said } = await send("ask touch it", { decideTool });
    expect(said.at(-1)).toContain('exactly these arguments: {"command":"touch other"}');
  });

  test("is never allowed for more than this once", async () => {
    const { send } = await open();
    expect((await send("ask-for-ever")).said[0]).toBe("got cancelled");
  });

  test("is answered as cancelled when the turn is, and whoever decides is told", async () => {
    const { conversation, send } = await open();
    const stop = new AbortController();
    const signals: AbortSignal[] = [];
    const events: LogEvent[] = [];
    const ending = await conversation.send({
      ...{ prompt: "ask-and-wait touch it", model: null, signal: stop.signal },
      onEvent: (event) => events.push(event),
      decideTool: ({ signal }) => {
        signals.push(signal);
        stop.abort();
        return new Promise(() => undefined);
      },
    });
    expect(ending).toEqual({ kind: "cancelled" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(events).toContainEqual(expect.objectContaining({ content: "then cancelled" }));
    expect((await send("say on")).said).toEqual(["on"]);
  });
});

describe("a cancel", () => {
  test("is told to the agent, and the next prompt works", async () => {
    const { conversation, send } = await open();
    const { ending, events } = await send("wait", abortOnDelta());
    expect(ending).toEqual({ kind: "cancelled" });
    expect(events.at(-1)).toMatchObject({ kind: "final", isSuccess: false });
    expect(conversation.isOpen).toBe(true);
    expect((await send("say on")).said).toEqual(["on"]);
  });

  test("before anything was sent sends nothing", async () => {
    const { conversation, send } = await open();
    expect((await send("say a", { signal: AbortSignal.abort() })).ending.kind).toBe("cancelled");
    expect([conversation.isOpen, members().length]).toEqual([true, 0]);
  });

  // One answers after all, while it is being ended.
  test.each(inTier(["late"], ["late", "deaf"]))(
    "that is not heard by one that is %s ends the process",
    async (word) => {
      const { conversation, send } = await open();
      const { ending, said } = await send(word, abortOnDelta());
      expect([ending.kind, said]).toEqual(["cancelled", ["I wait."]]);
      expect(conversation.isOpen).toBe(false);
      expect((await send("say a")).ending).toMatchObject({ kind: "lost" });
    },
  );
});

describe("a conversation is taken up again", () => {
  test("without its past in the first turn", async () => {
    const { conversation, send } = await open({ resume: "s-1" });
    expect(conversation.id).toBe("s-1");
    expect((await send("say now")).said).toEqual(["now"]);
  });

  test.each([
    ["the agent does not know it", "s-2", []],
    ["the agent cannot", "s-1", ["forgets"]],
  ])("or is forgotten: %s", async (_, resume, traits) => {
    const { send } = await open({ resume, traits });
    const { ending, events } = await send("say now");
    expect(ending).toMatchObject({ kind: "forgotten", problem: expect.stringMatching(/./) });
    expect(events).toEqual([]);
  });
});

describe("a process", () => {
  test.each([
    ["dies", "die", /exited with 3: out of memory/],
    ["floods", "flood", /a line of more than/],
  ])("that %s is lost", async (_, prompt, problem) => {
    const { conversation, send } = await open();
    const { ending } = await send(prompt);
    expect(ending).toMatchObject({ kind: "lost", problem: expect.stringMatching(problem) });
    expect(conversation.isOpen).toBe(false);
  });

  test.each([
    ["is not there", ["/none/agent"], /could not be started/],
    ["repeats what it reads", ["cat"], /does not speak ACP/],
    ["prints and leaves", ["sh", "-c", "echo Hello.; echo Oh. >&2"], /exited with 0: Oh\./],
    [
      "speaks another version",
      ["sh", "-c", 'read line; echo \'{"id":1,"result":{"protocolVersion":2}}\'; cat'],
      /version 2/,
    ],
  ])("that %s is lost", async (_, argv, problem) => {
    const { conversation, send } = await open({ argv });
    const { ending } = await send("say a");
    expect(ending).toMatchObject({ kind: "lost", problem: expect.stringMatching(problem) });
    expect(conversation.isOpen).toBe(false);
  });

  test("that does not leave is ended by the close, in the middle of a turn too", async () => {
    const { conversation, send } = await open({ traits: ["stays"] });
    const { promise: speaking, resolve } = Promise.withResolvers<void>();
    const deaf = send("deaf", { onEvent: ({ kind }) => kind === "delta" && resolve() });
    await speaking;
    await conversation.close();
    expect(members()).toEqual([]);
    expect((await deaf).ending).toEqual({ kind: "lost", problem: "the conversation was closed" });
  });

  test("is not started for settings that are wrong", async () => {
    const { result } = await tryOpen({ argv: [] });
    expect(result).toMatchObject({ kind: "refused", errors: [{ path: "argv" }] });
  });
});
