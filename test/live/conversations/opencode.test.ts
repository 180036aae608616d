// opencode by `opencode serve`, the real one, against the scripted model.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { opencodeConversation } from "../../../src/agents/opencode/conversation.ts";
import type { ToolAnswer } from "../../../src/agents/run/conversation.ts";
import { findLabCli, missingMessage } from "../lab.ts";
import { kindsIn, prepareTurns, sendTurn } from "./drive-turns.ts";

const MODEL = "sim/sim-model";
const allow = async (): Promise<ToolAnswer> => ({ kind: "allow", args: null });
const deny = async (): Promise<ToolAnswer> => ({ kind: "deny", reason: "REASON-7: not today" });

describe("opencode by its server", () => {
  const cli = findLabCli("opencode");
  if (cli === null) return test.skip(missingMessage("opencode"));
  const prepare = (scenario: string) =>
    prepareTurns({ cli, way: opencodeConversation, scenario, changeEnv: addModel });

  test("keeps the thread over prompts, models and a new process", async () => {
    const turns = await prepare(
      "turns: [{ text: One. }, { text: Two. }, { text: Three. }, { text: Four. }]",
    );
    const conversation = await turns.open();
    const first = await sendTurn(conversation, "first ALPHA", { model: MODEL });
    expect(first.ending, first.account).toEqual({ kind: "ended" });
    expect(first.said).toBe("One.");
    expect(kindsIn(first).filter((kind) => kind === "final")).toHaveLength(1);
    expect(first.events).toContainEqual(expect.objectContaining({ kind: "init", model: MODEL }));
    expect(first.events).toContainEqual(
      expect.objectContaining({ kind: "init", sessionId: conversation.id }),
    );
    expect(first.events).toContainEqual(
      expect.objectContaining({ kind: "usage", figures: expect.objectContaining({ input: 1111 }) }),
    );
    await sendTurn(conversation, "second", { model: MODEL });
    const third = await sendTurn(conversation, "third", { model: "sim/other-model" });
    expect(third.said).toBe("Three.");
    const request = turns.requests()[2];
    expect(request?.body).toContain("first ALPHA");
    expect(request?.request?.model).toBe("other-model");
    await conversation.close();
    expect(turns.left()).toEqual([]);
    const again = await turns.open(conversation.id);
    const fourth = await sendTurn(again, "fourth", { model: MODEL });
    expect(fourth.said, fourth.account).toBe("Four.");
    expect(turns.requests()[3]?.body).toContain("first ALPHA");
    expect(again.id).toBe(conversation.id);
  });

  test("asks about tools; a refusal's words reach the model and the turn goes on", async () => {
    const turns = await prepare(`
turns:
  - { text: I write., tool_calls: [{ tool: write, path: notes.txt, content: alpha }] }
  - { text: Written. }
  - { text: I run it., tool_calls: [{ tool: shell, command: touch refused.txt }] }
  - { text: So not. }
  - { text: Both., tool_calls: [{ tool: shell, command: touch a.txt }, { tool: shell, command: touch b.txt }] }
  - { text: Only one. }`);
    const conversation = await turns.open();
    const written = await sendTurn(conversation, "write", { model: MODEL, decideTool: allow });
    expect(written.asked, written.account).toMatchObject([
      { tool: "write", args: { content: "alpha" } },
    ]);
    expect(existsSync(join(turns.workspace, "notes.txt"))).toBe(true);
    const kinds = kindsIn(written);
    expect(kinds.indexOf("tool_call")).toBeLessThan(kinds.indexOf("tool_result"));
    expect(kinds.filter((kind) => kind === "tool_call")).toHaveLength(1);
    const refused = await sendTurn(conversation, "run", { model: MODEL, decideTool: deny });
    expect(refused.asked).toMatchObject([{ tool: "bash", args: { command: "touch refused.txt" } }]);
    expect(existsSync(join(turns.workspace, "refused.txt"))).toBe(false);
    expect(refused.said, refused.account).toContain("So not.");
    expect(turns.requests()[3]?.body).toContain("REASON-7: not today");
    expect(refused.events).toContainEqual(
      expect.objectContaining({ kind: "tool_result", permission: "denied" }),
    );
    const decideTool: typeof allow = async () => allow();
    const both = await sendTurn(conversation, "both", {
      model: MODEL,
      decideTool: ({ args }) => (args.command === "touch a.txt" ? deny() : decideTool()),
    });
    expect(both.asked).toHaveLength(2);
    expect(existsSync(join(turns.workspace, "a.txt"))).toBe(false);
    expect(existsSync(join(turns.workspace, "b.txt"))).toBe(true);
    expect(both.said, both.account).toContain("Only one.");
  });

  test("is cancelled in an answer and at a question, and goes on after a wrong model", async () => {
    const turns = await prepare(`
turns:
  - { fault: { hang_after: 4 }, text: I run it., tool_calls: [{ tool: shell, command: touch asked.txt }] }
  - { text: Here again. }`);
    const conversation = await turns.open();
    const inAnswer = new AbortController();
    // What was said by then stays in the thread, and the scripted model sees that it goes on.
    const slow = await sendTurn(conversation, "slow", {
      model: MODEL,
      signal: inAnswer.signal,
      onEvent: ({ kind }) => kind === "delta" && inAnswer.abort(),
    });
    expect(slow.ending, slow.account).toEqual({ kind: "cancelled" });
    expect(slow.said).toMatch(/^I run/);
    const atQuestion = new AbortController();
    const asked = await sendTurn(conversation, "ask", {
      model: MODEL,
      signal: atQuestion.signal,
      decideTool: () => {
        atQuestion.abort();
        return new Promise<never>(() => undefined);
      },
    });
    expect(asked.asked, asked.account).toHaveLength(1);
    expect(asked.ending, asked.account).toEqual({ kind: "cancelled" });
    expect(existsSync(join(turns.workspace, "asked.txt"))).toBe(false);
    const wrong = await sendTurn(conversation, "wrong", { model: "sim/none" });
    expect(wrong.ending, wrong.account).toEqual({ kind: "ended" });
    expect(wrong.events).toContainEqual(
      expect.objectContaining({ kind: "error", message: expect.stringContaining("sim/none") }),
    );
    const next = await sendTurn(conversation, "next", { model: MODEL });
    expect(next.said, next.account).toBe("Here again.");
  });

  test("knows nothing of a session that is not its own", async () => {
    const turns = await prepare("turns: [{ text: One. }]");
    for (const id of ["ses_0123456789abcdefghijklmnop", "nonsense"]) {
      const sent = await sendTurn(await turns.open(id), "go on", { model: MODEL });
      expect(sent.ending.kind, sent.account).toBe("forgotten");
      expect(sent.events).toEqual([]);
    }
    expect(turns.requests()).toEqual([]);
    expect(turns.left()).toEqual([]);
  });
});

/** A second model beside the one that the scripted provider has. */
function addModel(): Record<string, string> {
  const models = { "other-model": { name: "Other model", tool_call: true } };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { sim: { models } } }) };
}
