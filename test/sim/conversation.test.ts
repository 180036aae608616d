import { describe, expect, test } from "vitest";
import {
  decideAnswer,
  isSideRequest,
  type SimConversation,
  type TurnDecision,
} from "../../src/sim/conversation.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import type { ModelRequest, SentMessage } from "../../src/sim/wire.ts";

const ROLES = { u: "user", a: "assistant", t: "tool" } as const;

/** `request("u:hello a t:done")`: who said what, in the order of the conversation. */
function request(conversation: string, rest: Partial<ModelRequest> = {}): ModelRequest {
  const messages = conversation.split(" ").map((entry): SentMessage => {
    const [role, text = ""] = entry.split(":");
    return { role: role === "a" || role === "t" ? ROLES[role] : "user", text };
  });
  return {
    wire: "openai-chat",
    agent: "codex",
    model: null,
    isStreaming: true,
    system: "be good",
    messages,
    tools: [{ name: "bash", takesText: false, parameters: {} }],
    answerSchema: null,
    ...rest,
  };
}

const word = (decision: TurnDecision): string =>
  decision.kind === "unscripted" ? decision.kind : `${decision.kind} ${decision.index + 1}`;

/** What each request is answered with, one after the other. */
function play(yaml: string, requests: readonly ModelRequest[]): string[] {
  const scenario = parseScenario(yaml, "s.yaml");
  let conversation: SimConversation | null = null;
  return requests.map((asked) => {
    const decided = decideAnswer(scenario, conversation, asked);
    conversation = decided.conversation;
    return word(decided.decision);
  });
}

const THREE = "turns: [{ text: one }, { text: two }, { text: three }]";

describe("which turn is next", () => {
  test.each([
    ["one after the other", ["u", "u a u", "u a u a u"], ["turn 1", "turn 2", "turn 3"]],
    [
      "a retry is answered as before",
      ["u", "u", "u a u", "u a u"],
      ["turn 1", "turn 1", "turn 2", "turn 2"],
    ],
    [
      "a seeded conversation begins with the first turn",
      ["u a u", "u a u a u"],
      ["turn 1", "turn 2"],
    ],
    [
      "nothing is left",
      ["u", "u a u", "u a u a u", "u a u a u a u"],
      ["turn 1", "turn 2", "turn 3", "unscripted"],
    ],
    ["back at the beginning it starts again", ["u", "u a u", "u"], ["turn 1", "turn 2", "turn 1"]],
    ["another opening starts again", ["u:first", "u:second"], ["turn 1", "turn 1"]],
    ["two results of one answer are one place", ["u", "u a a t t"], ["turn 1", "turn 2"]],
  ])("%s", (_, conversations, expected) => {
    expect(
      play(
        THREE,
        conversations.map((text) => request(text)),
      ),
    ).toEqual(expected);
  });

  test("part of a broken answer that the agent keeps does not use up a turn", () => {
    const yaml = "turns: [{ fault: { drop_after: 2 }, text: one }, { text: two }]";
    const requests = ["u", "u a u", "u a u", "u a u a u"].map((text) => request(text));
    expect(play(yaml, requests)).toEqual(["fault 1", "turn 1", "turn 1", "turn 2"]);
  });
});

describe("conditions", () => {
  test.each([
    ["the user's words", "user: deploy", request("u:deploy-it"), "turn 1"],
    ["other words", "user: deploy", request("u:test-it"), "turn 2"],
    ["only the last message of the user", "user: deploy", request("u:deploy a u:thanks"), "turn 2"],
    ["the tool's result", "tool_result: failed", request("u a t:it-failed"), "turn 1"],
    [
      "only results since the last answer",
      "tool_result: failed",
      request("u a t:failed a t:fine"),
      "turn 2",
    ],
    ["a pattern", "tool_result: { matches: '^exit \\d$' }", request("u a t:exit"), "turn 2"],
    ["the agent", "agent: codex", request("u"), "turn 1"],
    ["one of several agents", "agent: [gemini, codex]", request("u"), "turn 1"],
    ["another agent", "agent: gemini", request("u"), "turn 2"],
    ["an unknown agent", "agent: gemini", request("u", { agent: null }), "turn 2"],
    ["the number of the request", "request: 1", request("u"), "turn 1"],
    ["another number", "request: 2", request("u"), "turn 2"],
  ])("%s", (_, when, asked, expected) => {
    const yaml = `turns: [{ when: { ${when} }, text: first }, { text: otherwise }]`;
    expect(play(yaml, [asked])).toEqual([expected]);
  });

  test("a turn that was passed over is not gone back to", () => {
    const yaml = "turns: [{ when: { user: later }, text: a }, { text: b }, { text: c }]";
    const requests = [request("u:now"), request("u:now a u:later")];
    expect(play(yaml, requests)).toEqual(["turn 2", "turn 3"]);
  });

  test("all must hold", () => {
    const yaml = "turns: [{ when: { user: go, agent: gemini }, text: a }, { text: b }]";
    expect(play(yaml, [request("u:go")])).toEqual(["turn 2"]);
  });
});

describe("faults", () => {
  test("each is given its number of times before its own turn, or the next one", () => {
    const yaml =
      "turns: [{ fault: { status: 429, times: 2 } }, { fault: { hang: true }, text: one }, { text: two }]";
    const requests = ["u", "u", "u", "u", "u a u"].map((text) => request(text));
    expect(play(yaml, requests)).toEqual(["fault 1", "fault 1", "fault 2", "turn 2", "turn 3"]);
  });

  test("a new conversation meets them again", () => {
    const yaml = "turns: [{ fault: { status: 500 }, text: one }]";
    const requests = ["u:a", "u:a", "u:b", "u:b"].map((text) => request(text));
    expect(play(yaml, requests)).toEqual(["fault 1", "turn 1", "fault 1", "turn 1"]);
  });

  test("one in mid-stream spoils the turn that would have been played", () => {
    const scenario = parseScenario(
      "turns: [{ fault: { drop_after: 1 } }, { when: { agent: gemini }, text: no }, { text: yes }]",
      "s.yaml",
    );
    const { decision } = decideAnswer(scenario, null, request("u"));
    expect(decision).toMatchObject({ kind: "fault", turn: { text: "yes" } });
  });
});

describe("what an agent asks on its own account", () => {
  const long = "x".repeat(5_000);
  const waiting: SimConversation = {
    seeded: 0,
    played: { 0: 0 },
    faultsGiven: {},
    requests: 1,
    system: long,
    opening: "do it",
    awaitsTools: true,
  };

  test.each([
    ["a title: no tools, few instructions", { tools: [], system: "make a title" }, null, true],
    [
      "a classification: no tools, an answer in JSON",
      { tools: [], system: long, answerSchema: {} },
      null,
      true,
    ],
    ["a conversation without tools", { tools: [], system: long }, null, false],
    ["a program that is not known", { tools: [], system: "", agent: null }, null, false],
    ["a sub-agent that says so", { system: "a; cc_is_subagent=true; b" }, null, true],
    ["a sub-agent at work while the first one waits", { system: "explore" }, waiting, true],
    [
      "the next turn with changed instructions",
      { system: "new", messages: [{ role: "user", text: "do it" }] },
      waiting,
      false,
    ],
    [
      "a new run after the last one is done",
      { system: "other" },
      { ...waiting, awaitsTools: false },
      false,
    ],
  ] as const)("%s", (_, rest, current, expected) => {
    expect(isSideRequest(request("u:look", rest), current)).toBe(expected);
  });
});
