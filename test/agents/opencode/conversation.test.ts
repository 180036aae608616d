import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LogEvent } from "../../../src/agents/log/event.ts";
import { opencodeConversation } from "../../../src/agents/opencode/conversation.ts";
import type { Conversation, ConversationContext } from "../../../src/agents/run/conversation.ts";
import { findMembersInProc } from "../../../src/core/process/process-tree.ts";
import { longTest } from "../../support/tier.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { makePlace, makeProgram, type Place } from "../run/scripted-agent.ts";
import { type SaidTurn, sendTurn, type TurnChanges } from "../run/send-turn.ts";

const SERVE = join(import.meta.dirname, "fixtures/serve.mjs");
const MODEL = "sim/small/model";

const contextIn = (place: Place, more: Partial<ConversationContext> = {}): ConversationContext => ({
  settings: {},
  resume: null,
  stepHook: null,
  workspaceDir: place.workspace,
  env: { PATH: process.env.PATH ?? "", HOME: place.home },
  runId: crypto.randomUUID(),
  logDir: join(place.folder, "log"),
  program: makeProgram(place, `exec ${process.execPath} ${SERVE} "$@"`),
  ...more,
});

async function open(context: ConversationContext): Promise<Conversation> {
  const opened = await opencodeConversation.open(context);
  if (opened.kind === "refused") throw new Error(JSON.stringify(opened.errors));
  onTestFinished(() => opened.conversation.close());
  return opened.conversation;
}

async function send(conversation: Conversation, prompt: string, more: TurnChanges = {}) {
  const turn = await sendTurn(conversation, prompt, { model: MODEL, ...more });
  return { ...turn, said: turn.said.join(" ") };
}

const kindsOf = ({ events }: Pick<SaidTurn, "events">): string[] => events.map(({ kind }) => kind);

const notesOf = ({ home }: Place): Record<string, unknown>[] =>
  readFileSync(join(home, "notes"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

function countLeft({ runId }: ConversationContext): number {
  return findMembersInProc({ pid: 0, runId, ownsGroup: false, since: 0 }).members.length;
}

describe("a conversation by `opencode serve`", () => {
  test("is one process over its prompts, told to ask about everything", async () => {
    const place = makePlace();
    const context = contextIn(place);
    const conversation = await open(context);
    const first = await send(conversation, "hello");
    expect(first.ending).toEqual({ kind: "ended" });
    expect(kindsOf(first)).toEqual(["init", "delta", "init", "message", "usage", "final"]);
    expect(first.events[0]).toMatchObject({ sessionId: "ses_one", model: MODEL, provider: "sim" });
    expect(first.said).toBe("Hello.");
    expect(conversation.id).toBe("ses_one");
    const second = await send(conversation, "retry", { model: "sim/other" });
    expect(kindsOf(second)).toContain("retry");
    expect(second.said).toBe("Hello.");
    await conversation.close();
    expect(conversation.isOpen).toBe(false);
    expect(countLeft(context)).toBe(0);
    const [started, ...prompts] = notesOf(place);
    expect(started?.started).toEqual(
      expect.arrayContaining(["serve", "--hostname", "127.0.0.1", "--port"]),
    );
    const rules = JSON.parse(String(started?.permission));
    expect(rules).toMatchObject({ "*": "ask", bash: "ask", edit: "ask", read: "ask" });
    expect(prompts.map(({ model }) => model)).toEqual([
      { providerID: "sim", modelID: "small/model" },
      { providerID: "sim", modelID: "other" },
    ]);
    const session = JSON.parse(readFileSync(join(place.home, "session"), "utf8"));
    expect(session.permission[0]).toEqual({ permission: "*", pattern: "*", action: "ask" });
  });

  test("asks once about a call, and goes on with the answer", async () => {
    const place = makePlace();
    const conversation = await open(contextIn(place));
    const allowed = await send(conversation, "ask");
    expect(allowed.asked).toMatchObject([{ tool: "bash", args: { command: "touch call_1" } }]);
    expect(allowed.said).toBe("allowed");
    expect(kindsOf(allowed).filter((kind) => kind === "tool_call")).toHaveLength(1);
    expect(allowed.events).toContainEqual(
      expect.objectContaining({ kind: "tool_result", result: "done", permission: "allowed" }),
    );
    const refused = await send(conversation, "ask", {
      decideTool: async () => ({ kind: "deny", reason: "not on a Friday" }),
    });
    expect(refused.said).toBe("refused: not on a Friday");
    const other = await send(conversation, "ask", {
      decideTool: async () => ({ kind: "allow", args: { command: "touch other" } }),
    });
    expect(other.said).toContain('{"command":"touch other"}');
    const replies = notesOf(place).filter(({ reply }) => reply !== undefined);
    expect(replies).toHaveLength(4);
  });

  test("a refusal waits until nothing else is open, so that it refuses nothing else", async () => {
    const conversation = await open(contextIn(makePlace()));
    const slow = Promise.withResolvers<{ kind: "allow"; args: null }>();
    const sent = await send(conversation, "both", {
      decideTool: async ({ callId }) => {
        if (callId === "call_b") return slow.promise;
        setImmediate(() => slow.resolve({ kind: "allow", args: null }));
        return { kind: "deny", reason: "not this one" };
      },
    });
    expect(sent.said).toBe("refused: not this one, allowed");
  });

  test("is cancelled by its own word, and the next prompt is not ended by the old end", async () => {
    const conversation = await open(contextIn(makePlace()));
    const stop = new AbortController();
    const onEvent = ({ kind }: LogEvent) => kind === "delta" && stop.abort();
    const slow = await send(conversation, "slow", { signal: stop.signal, onEvent });
    expect(slow.ending).toEqual({ kind: "cancelled" });
    expect(kindsOf(slow)).not.toContain("final");
    expect(slow.said).toBe("Well");
    const next = await send(conversation, "hello");
    expect(next).toMatchObject({ ending: { kind: "ended" }, said: "Hello." });
  });

  longTest("an agent that does not stop is ended", async () => {
    const context = contextIn(makePlace());
    const conversation = await open(context);
    const stop = new AbortController();
    const onEvent = ({ kind }: LogEvent) => kind === "message" && stop.abort();
    const sent = await send(conversation, "stubborn", { signal: stop.signal, onEvent });
    expect(sent.ending).toEqual({ kind: "cancelled" });
    expect(conversation.isOpen).toBe(false);
    expect(countLeft(context)).toBe(0);
  });

  test("failures of a prompt are its end, and the next one works", async () => {
    const conversation = await open(contextIn(makePlace()));
    const wrong = await send(conversation, "wrong");
    expect(wrong.ending).toEqual({ kind: "ended" });
    const errors = wrong.events.filter(({ kind }) => kind === "error");
    expect(errors).toMatchObject([{ message: "Model not found: sim/none." }]);
    expect(wrong.events.at(-1)).toMatchObject({ kind: "final", isSuccess: false });
    const after = await send(conversation, "hello");
    expect(after.said).toBe("Hello.");
    expect(kindsOf(after)).not.toContain("error");
    const early = await send(conversation, "early");
    expect(early.events).toContainEqual(expect.objectContaining({ message: "no agent" }));
    const nameless = await send(conversation, "hello", { model: "no-provider" });
    expect(kindsOf(nameless)).toEqual(["error", "final"]);
    expect((await send(conversation, "hello")).said).toBe("Hello.");
  });

  test.each([
    ["die", "exit code 3: out of memory"],
    ["nonsense", "no JSON"],
    ["flood", "an event of over"],
  ])(
    "one that comes to `%s` is lost, says why, and leaves nothing behind",
    async (prompt, problem) => {
      const context = contextIn(makePlace());
      const conversation = await open(context);
      const { ending } = await send(conversation, prompt);
      expect(ending).toMatchObject({ kind: "lost", problem: expect.stringContaining(problem) });
      expect(conversation.isOpen).toBe(false);
      expect((await send(conversation, "hello")).ending.kind).toBe("lost");
      expect(countLeft(context)).toBe(0);
    },
  );

  test("a program that is not there, or never listens, is lost or cancelled", async () => {
    const place = makePlace();
    const absent = await open(contextIn(place, { program: "/no/such/program" }));
    expect((await send(absent, "hello")).ending).toMatchObject({
      kind: "lost",
      problem: expect.stringContaining("could not be started"),
    });
    writeFileSync(join(place.home, "mute"), "");
    const context = contextIn(place);
    const mute = await open(context);
    const stop = new AbortController();
    const sending = send(mute, "hello", { signal: stop.signal });
    await waitUntil(() => existsSync(join(place.home, "notes")));
    stop.abort();
    expect((await sending).ending).toEqual({ kind: "cancelled" });
    expect(countLeft(context)).toBe(0);
  });

  test("is taken up by its id in its own folder; another id is forgotten", async () => {
    const place = makePlace();
    await send(await open(contextIn(place)), "hello");
    const again = await open(contextIn(place, { resume: "ses_one" }));
    expect((await send(again, "hello")).said).toBe("Hello.");
    expect(again.id).toBe("ses_one");
    for (const resume of ["ses_two", "nonsense"]) {
      const sent = await send(await open(contextIn(place, { resume })), "hello");
      expect(sent.ending).toMatchObject({ kind: "forgotten" });
      expect(sent.events).toEqual([]);
    }
  });

  test("settings that it cannot have are refused before anything is started", async () => {
    const settings = { extra_args: ["--variant", "high"] };
    const context = contextIn(makePlace(), { settings });
    expect(await opencodeConversation.open(context)).toMatchObject({
      kind: "refused",
      errors: [{ path: "extra_args" }],
    });
    const nameless = { ...context, settings: { model: "nameless" } };
    expect(await opencodeConversation.open(nameless)).toMatchObject({
      kind: "refused",
      errors: [{ path: "model" }],
    });
  });
});
