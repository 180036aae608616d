import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { longTest } from "../../support/tier.ts";
import type { ServerStep } from "./fixtures/app-server.ts";
import { act, converse, KNOWN, openServer, processesOf } from "./talk.ts";

const ASK_COMMAND: ServerStep = [
  "ask",
  "item/commandExecution/requestApproval",
  { itemId: "call-1", kind: "command", command: "/bin/bash -lc 'rm -r x'" },
];
const RECEIVED: ServerStep = ["received"];

interface Received {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const readReceived = (said: string | undefined): readonly Received[] => JSON.parse(said ?? "[]");

describe("what is sent", () => {
  test("a thread that asks about everything, and a model with every prompt", async () => {
    const conversation = await converse("", { settings: { model: "settled" } });
    const first = await act(conversation, [RECEIVED]);
    const sent = readReceived(first.said[0]);
    expect(sent.map(({ method }) => method)).toEqual([
      ...["initialize", "initialized", "config/read", "thread/start", "turn/start"],
    ]);
    const asking = { approvalPolicy: "untrusted", approvalsReviewer: "user" };
    expect(sent[3]?.params).toMatchObject({ ...asking, sandbox: "workspace-write" });
    const models = [];
    for (const model of [null, "other", null]) {
      const { said } = await act(conversation, [RECEIVED], { model });
      const [prompt] = readReceived(said[0]);
      expect(prompt?.params).toMatchObject({ ...asking, threadId: KNOWN });
      models.push(prompt?.params?.model);
    }
    expect(models).toEqual(["settled", "other", "settled"]);
    expect(first.events[0]).toMatchObject({ kind: "init", sessionId: KNOWN, model: "settled" });
  });

  test("the sandbox that a person chose stays", async () => {
    const { said } = await act(await converse("chosen-sandbox"), [RECEIVED]);
    const start = readReceived(said[0]).find(({ method }) => method === "thread/start");
    expect(start?.params).not.toHaveProperty("sandbox");
  });

  test("words for a turn that runs, and none without one", async () => {
    const conversation = await converse();
    let isTaken = false;
    const { said } = await act(conversation, [ASK_COMMAND, RECEIVED], {
      decide: async () => {
        isTaken = await conversation.steer("mind this");
        return { kind: "allow", args: null };
      },
    });
    expect(isTaken).toBe(true);
    expect(said[1]).toContain("mind this");
    expect(await conversation.steer("too late")).toBe(false);
  });
});

describe("a question", () => {
  test("is allowed, and its result says so", async () => {
    const item = { type: "commandExecution", id: "call-1", command: "rm", status: "completed" };
    const turn = await act(await converse(), [
      ASK_COMMAND,
      ["notify", "item/completed", { item: { ...item, exitCode: 0, durationMs: 7 } }],
    ]);
    expect(turn.asked).toEqual([{ callId: "call-1", tool: "Bash", args: { command: "rm -r x" } }]);
    expect(turn.said).toEqual(['{"decision":"accept"}']);
    expect(turn.events).toContainEqual(
      expect.objectContaining({ kind: "tool_result", permission: "allowed", durationMs: 7 }),
    );
  });

  test.each([
    [{ kind: "deny", reason: "keep x" }, "`Bash` was refused: keep x"],
    [{ kind: "allow", args: { command: "ls" } }, 'these arguments instead: {"command":"ls"}'],
  ] as const)("is refused with words that come first: %j", async (answer, words) => {
    const turn = await act(await converse(), [RECEIVED, ASK_COMMAND, RECEIVED], {
      decide: () => answer,
    });
    expect(turn.said[1]).toBe('{"decision":"decline"}');
    const [steer] = readReceived(turn.said[2]);
    expect(steer).toMatchObject({ method: "turn/steer", params: { expectedTurnId: "turn-1" } });
    expect(JSON.stringify(steer?.params?.input)).toContain(JSON.stringify(words).slice(1, -1));
  });

  test("that is no tool call is refused without asking", async () => {
    const command = "item/commandExecution/requestApproval";
    const turn = await act(await converse(), [
      // A patch of which nothing was told, and what is typed into a terminal.
      ["ask", "item/fileChange/requestApproval", { itemId: "x" }],
      ["ask", command, { kind: "writeStdin", command: "rm -r x" }],
      // A form of an MCP server, further rights, what is not known.
      ["ask", "mcpServer/elicitation/request", { serverName: "s", message: "?" }],
      ["ask", "item/permissions/requestApproval", { permissions: { network: {} } }],
      ["ask", "item/tool/requestUserInput", { questions: [] }],
      ["ask", "constructor", {}],
    ]);
    expect(turn.asked).toEqual([]);
    expect(turn.said.map((said) => JSON.parse(said))).toMatchObject([
      { decision: "decline" },
      { decision: "decline" },
      { action: "decline" },
      { permissions: {} },
      { message: "item/tool/requestUserInput is not offered" },
      { message: "constructor is not offered" },
    ]);
  });

  test("that is withdrawn is no longer waited for", async () => {
    const stop = new AbortController();
    let isWithdrawn = false;
    const turn = await act(await converse(), [ASK_COMMAND, ["say", "I stop."], ["wait"]], {
      signal: stop.signal,
      decide: ({ signal }) => {
        signal.addEventListener("abort", () => (isWithdrawn = true));
        stop.abort();
        return new Promise(() => {});
      },
    });
    expect([turn.ending.kind, isWithdrawn]).toEqual(["cancelled", true]);
  });
});

describe("a cancel", () => {
  test("is told by the protocol, and the next prompt works", async () => {
    const conversation = await converse();
    const stop = new AbortController();
    const cut = await act(conversation, [["say", "I wait."], ["wait"]], {
      signal: stop.signal,
      onEvent: ({ kind }) => kind === "message" && stop.abort(),
    });
    expect(cut.ending).toEqual({ kind: "cancelled" });
    expect(cut.events.at(-1)).toMatchObject({ kind: "final", stopReason: "interrupted" });
    expect((await act(conversation, [["say", "Here."]])).said).toEqual(["Here."]);
  });

  longTest("ends an agent that does not listen", async () => {
    const runId = crypto.randomUUID();
    const conversation = await converse("", { runId });
    const stop = new AbortController();
    const cut = await act(conversation, [["say", "I wait."], ["wait-deaf"]], {
      signal: stop.signal,
      onEvent: ({ kind }) => kind === "message" && stop.abort(),
    });
    expect([cut.ending.kind, conversation.isOpen]).toEqual(["cancelled", false]);
    await conversation.close();
    expect(processesOf(runId)).toBe(0);
  });

  test("before a thread is open asks nothing", async () => {
    const conversation = await converse("mute");
    const stop = new AbortController();
    const sending = act(conversation, [], { signal: stop.signal });
    stop.abort();
    expect((await sending).ending).toEqual({ kind: "cancelled" });
  });
});

describe("an end that nobody wanted", () => {
  test.each<[string, string, ServerStep[], RegExp]>([
    ["a death", "", [["exit", 3, "bad news\n"]], /^the agent exited with 3: bad news$/],
    ["nonsense", "", [["print", "<html>"]], /^the agent said what is no message: <html>$/],
    ["another program", "babble", [], /^the agent said what is no message: Welcome/],
    ["one that would not ask", "never-asks", [], /would not ask before it acts.*"never"/],
  ])("%s is told in a sentence", async (_, mode, steps, problem) => {
    const runId = crypto.randomUUID();
    const conversation = await converse(mode, { runId });
    const { ending } = await act(conversation, [...steps, ["wait-deaf"]]);
    expect(ending).toMatchObject({ kind: "lost", problem: expect.stringMatching(problem) });
    await conversation.close();
    expect([conversation.isOpen, processesOf(runId)]).toEqual([false, 0]);
    expect((await act(conversation, [])).ending.kind).toBe("lost");
  });

  test("a program that is not there is told in a sentence", async () => {
    const conversation = await converse("", { program: "/nowhere/codex" });
    const { ending } = await act(conversation, []);
    expect(ending).toMatchObject({ problem: expect.stringMatching(/could not be started/) });
  });

  test("a flood is read to its end and not held", async () => {
    const turn = await act(await converse(), [["flood", 20_000]]);
    expect(turn.ending.kind).toBe("ended");
    expect(turn.said[0]?.length).toBeLessThan(20_000_000);
  });
});

test("a known thread goes on, an unknown one is forgotten, nonsense starts nothing", async () => {
  const known = await act(await converse("", { resume: KNOWN }), [RECEIVED]);
  expect(known.said[0]).toContain('"method":"thread/resume"');
  const runId = crypto.randomUUID();
  for (const resume of [KNOWN.replaceAll("0", "1"), "nonsense"]) {
    const conversation = await converse("", { resume, runId });
    const { ending, events } = await act(conversation, [["say", "anew"]]);
    expect([ending.kind, events, conversation.isOpen]).toEqual(["forgotten", [], false]);
  }
});

test("figures are told once for each request to the model, and only those of the turn", async () => {
  const told = (totalTokens: number, inputTokens: number): ServerStep => [
    "notify",
    "thread/tokenUsage/updated",
    { tokenUsage: { total: { totalTokens }, last: { inputTokens, outputTokens: 1 } } },
  ];
  const conversation = await converse();
  await act(conversation, [told(11, 10)]);
  const { events } = await act(conversation, [told(11, 10), told(32, 20), told(32, 20)]);
  expect(events.filter(({ kind }) => kind === "usage")).toMatchObject([
    { figures: { input: 20, output: 1 } },
  ]);
});

test("what can be known to be wrong starts nothing", async () => {
  const settings = { max_turns: 3, extra_args: ["--image", "x.png"] };
  const wrong = await openServer("", { settings });
  expect(wrong).toMatchObject({ kind: "refused" });
  expect(JSON.stringify(wrong)).toContain("`max_turns`");
  expect(JSON.stringify(wrong)).toContain("unknown flag `--image`");
  const env = { PATH: "", HOME: temporaryFolder() };
  expect(await openServer("", { env })).toMatchObject({ errors: [{ reason: "AUTH_FAILED" }] });
});

test("what was said is kept, with secrets masked", async () => {
  const logDir = join(temporaryFolder(), "log");
  const conversation = await converse("", { logDir });
  await act(conversation, [["say", `my key is ghp_${"a1B2".repeat(9)}`]]);
  await conversation.close();
  const raw = readFileSync(join(logDir, "stdout"), "utf8");
  expect(raw).toContain("my key is");
  expect(raw).not.toContain("a1B2a1B2");
});
