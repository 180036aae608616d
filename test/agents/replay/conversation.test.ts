import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LogEvent } from "../../../src/agents/log/event.ts";
import type { Cassette } from "../../../src/agents/replay/cassette.ts";
import { replayConversation } from "../../../src/agents/replay/conversation.ts";
import type {
  Conversation,
  ConversationContext,
  TurnRequest,
} from "../../../src/agents/run/conversation.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { makePlace, type Place } from "../run/scripted-agent.ts";
import { type SaidTurn, sendTurn, type TurnChanges } from "../run/send-turn.ts";

const contextIn = (place: Place, more: Partial<ConversationContext> = {}): ConversationContext => ({
  settings: {},
  resume: null,
  stepHook: null,
  workspaceDir: place.workspace,
  env: { PATH: process.env.PATH ?? "", HOME: place.home },
  runId: crypto.randomUUID(),
  logDir: join(place.folder, "runs/first"),
  ...more,
});

async function open(context: ConversationContext): Promise<Conversation> {
  const opened = await replayConversation.open(context);
  if (opened.kind === "refused") throw new Error(JSON.stringify(opened.errors));
  return opened.conversation;
}

async function send(conversation: Conversation, prompt: string, more: TurnChanges = {}) {
  const turn = await sendTurn(conversation, prompt, more);
  return { ...turn, answer: turn.said.at(-1) ?? "" };
}

const deltasOf = ({ events }: Pick<SaidTurn, "events">): string =>
  events.flatMap((event) => (event.kind === "delta" ? [event.text] : [])).join("");

describe("the demo partner", () => {
  test("keeps the thread: the third answer has the first prompt's words, and the model of now", async () => {
    const conversation = await open(contextIn(makePlace()));
    const first = await send(conversation, "Good morning, partner", { model: "demo-1" });
    expect(first.ending).toEqual({ kind: "ended" });
    expect(first.answer).toMatch(/You said “Good morning, partner”.*first prompt.*`demo-1`/s);
    expect(deltasOf(first)).toBe(first.answer);
    await send(conversation, "and?");
    const third = await send(conversation, "well?", { model: "demo-2" });
    expect(third.answer).toMatch(/prompt 3 .* began with “Good morning, partner”.*`demo-2`/s);
    expect(third.events.at(0)).toMatchObject({ sessionId: conversation.id, model: "demo-2" });
    expect(third.events.filter(({ kind }) => kind === "final")).toHaveLength(1);
  });

  test("asks before it writes, reads, edits and runs, and then really does it", async () => {
    const place = makePlace();
    const conversation = await open(contextIn(place));
    const file = join(place.workspace, "docs/plan.md");
    const written = await send(conversation, "Write docs/plan.md.");
    expect(written.asked).toMatchObject([{ tool: "write", args: { path: "docs/plan.md" } }]);
    expect(readFileSync(file, "utf8")).toBe("Write docs/plan.md.\n");
    const fixed = await send(conversation, "now fix docs/plan.md");
    expect(fixed.asked.map(({ tool }) => tool)).toEqual(["read", "edit"]);
    expect(readFileSync(file, "utf8")).toBe("Write docs/plan.md. (fixed)\n");
    const listed = await send(conversation, "list the files");
    expect(listed.answer).toContain("    docs\n");
    const ran = await send(conversation, "run `echo out; exit 3`");
    expect(ran.answer).toMatch(/failed:\s+out/);
    await send(conversation, "delete docs/plan.md");
    expect(existsSync(file)).toBe(false);
  });

  test("does not do what is refused, and repeats the reason", async () => {
    const place = makePlace();
    const conversation = await open(contextIn(place));
    const decideTool = async () => ({ kind: "deny", reason: "not on a Friday" }) as const;
    const sent = await send(conversation, "write a.txt", { decideTool });
    expect(sent.answer).toContain("not on a Friday");
    expect(sent.ending).toEqual({ kind: "ended" });
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(false);
    expect(sent.events.find(({ kind }) => kind === "tool_result")).toMatchObject({
      permission: "denied",
      isError: true,
    });
  });

  test("does what was allowed, where that is something else than it asked for", async () => {
    const place = makePlace();
    const conversation = await open(contextIn(place));
    const args = { path: "b.txt", content: "other" };
    const decideTool = async () => ({ kind: "allow", args }) as const;
    await send(conversation, "write a.txt", { decideTool });
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(false);
    expect(readFileSync(join(place.workspace, "b.txt"), "utf8")).toBe("other");
  });

  test("stays in the workspace", async () => {
    const place = makePlace();
    writeFileSync(join(place.folder, "secret.txt"), "s3cret");
    const conversation = await open(contextIn(place));
    const decideTool = async () =>
      ({ kind: "allow", args: { path: "../secret.txt", content: "x" } }) as const;
    for (const prompt of ["read a.txt", "write a.txt"])
      expect((await send(conversation, prompt, { decideTool })).answer).toContain("outside");
    expect(readFileSync(join(place.folder, "secret.txt"), "utf8")).toBe("s3cret");
  });

  test("is cancelled in its words, in a command and at a question, and goes on after it", async () => {
    const place = makePlace();
    const conversation = await open(contextIn(place));
    const cancelOn = async (kind: LogEvent["kind"], more: Partial<TurnRequest> = {}) => {
      const stop = new AbortController();
      const onEvent = (event: LogEvent) => event.kind === kind && stop.abort();
      return send(conversation, "run `sleep 600`", { signal: stop.signal, onEvent, ...more });
    };
    expect((await cancelOn("delta")).ending).toEqual({ kind: "cancelled" });
    const decideTool = () => new Promise<never>(() => undefined);
    expect((await cancelOn("tool_call", { decideTool })).ending).toEqual({ kind: "cancelled" });
    const stop = new AbortController();
    const running = send(conversation, "run `touch on; sleep 600`", { signal: stop.signal });
    await waitUntil(() => existsSync(join(place.workspace, "on")));
    stop.abort();
    expect((await running).ending).toEqual({ kind: "cancelled" });
    expect((await send(conversation, "well?")).answer).toContain("prompt 4");
  });

  test("is taken up again by its id, from another log; an unknown id is forgotten", async () => {
    const place = makePlace();
    const first = await open(contextIn(place));
    await send(first, "remember the milk");
    await first.close();
    expect(first.isOpen).toBe(false);
    const logDir = join(place.folder, "runs/second");
    const second = await open(contextIn(place, { resume: first.id, logDir }));
    expect(second.id).toBe(first.id);
    expect((await send(second, "well?")).answer).toMatch(/prompt 2 .*“remember the milk”/);
    for (const resume of ["first:00000000", "nonsense", "..:0123abcd"]) {
      const unknown = await open(contextIn(place, { resume, logDir }));
      const sent = await send(unknown, "well?");
      expect(sent.ending.kind).toBe("forgotten");
      expect(sent.events).toEqual([]);
    }
  });

  test("takes words into the turn that runs", async () => {
    const conversation = await open(contextIn(makePlace()));
    expect(await conversation.steer("too early")).toBe(false);
    const decideTool = async () => {
      expect(await conversation.steer("and be brief")).toBe(true);
      return { kind: "allow", args: null } as const;
    };
    const sent = await send(conversation, "list", { decideTool });
    expect(sent.answer).toContain("and be brief");
  });

  test("keeps what it said beside its log, without secrets", async () => {
    const place = makePlace();
    const context = contextIn(place);
    const key = `sk-ant-${"A1b2".repeat(10)}`;
    const conversation = await open(context);
    await send(conversation, `my key is ${key}`);
    const kept = readFileSync(join(context.logDir, "stdout"), "utf8");
    expect(kept).toContain("my key is");
    expect(kept).not.toContain(key);
  });
});

describe("a cassette in a conversation", () => {
  const tape: Cassette = {
    adjutant: 1,
    steps: [
      { prompt: "begin" },
      { say: "I begin." },
      { write: { path: "a.txt", content: "one" }, as: "Write" },
      { prompt: "go on" },
      { shell: "cat a.txt" },
      { say: "Done." },
    ],
    usage: { input_tokens: 4, output_tokens: 2 },
  };

  function openTape(place: Place, cassette: Cassette): Promise<Conversation> {
    writeFileSync(join(place.workspace, "tape.json"), JSON.stringify(cassette));
    return open(contextIn(place, { settings: { cassette: "tape.json" } }));
  }

  test("plays a part for each prompt, then the partner answers", async () => {
    const place = makePlace();
    const conversation = await openTape(place, tape);
    const first = await send(conversation, "anything");
    expect(first.answer).toBe("I begin.");
    expect(first.asked).toMatchObject([{ tool: "write" }]);
    expect(first.events.find(({ kind }) => kind === "tool_call")).toMatchObject({ name: "Write" });
    const second = await send(conversation, "more");
    expect(second.answer).toBe("Done.");
    expect(second.events.find(({ kind }) => kind === "tool_result")).toMatchObject({
      result: "one",
    });
    expect(second.events.find(({ kind }) => kind === "usage")).toMatchObject({
      figures: { input: 4 },
    });
    expect((await send(conversation, "still there?")).answer).toContain("prompt 3");
  });

  test("without marks is played whole by the first prompt", async () => {
    const place = makePlace();
    const steps: Cassette["steps"] = [{ say: "One." }, { say: "Two." }];
    const conversation = await openTape(place, { adjutant: 1, steps });
    expect((await send(conversation, "anything")).answer).toBe("Two.");
    expect((await send(conversation, "hello")).answer).toContain("You said “hello”");
  });

  test("that cannot be read is refused when the conversation is opened", async () => {
    const context = contextIn(makePlace(), { settings: { cassette: "none.json", pace: "fast" } });
    expect(await replayConversation.open(context)).toMatchObject({
      kind: "refused",
      errors: [{ path: "cassette" }],
    });
  });
});

describe("a cassette whose parts have words", () => {
  const BOOK: Cassette = {
    adjutant: 1,
    steps: [
      { prompt: "mend it", when: "FAILED" },
      { say: "mended" },
      { prompt: "build it", when: "build" },
      { say: "built" },
    ],
    usage: { input_tokens: 10, output_tokens: 5 },
    cost_usd: 0.25,
  };

  test("plays the first whose words the prompt has, in any order, with the figures after each", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "book.json"), JSON.stringify(BOOK));
    const conversation = await open(contextIn(place, { settings: { cassette: "book.json" } }));
    const answers = ["Build this", "build again: the test failed", "build"];
    for (const [at, words] of ["built", "mended", "built"].entries()) {
      const sent = await send(conversation, answers[at] ?? "");
      expect(sent.answer).toBe(words);
      expect(sent.events).toContainEqual(expect.objectContaining({ kind: "usage", costUsd: 0.25 }));
    }
    expect((await send(conversation, "something else")).answer).toContain("You said");
  });
});
