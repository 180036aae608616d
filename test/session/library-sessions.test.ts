import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAdjutant } from "../../src/program.ts";
import type { HostEvent } from "../../src/session/host/session-host.ts";
import { makeHome } from "../program/adj.ts";

/** The host is inside this very process. */
async function openLibrary(more: Readonly<Record<string, string>> = {}) {
  const home = makeHome();
  const env = { ...home.env, ADJ_HOST: "off", ...more };
  const adjutant = await createAdjutant({ cwd: home.project, env });
  onTestFinished(() => adjutant.close());
  const session = await adjutant.sessions.open();
  return { home, adjutant, session, file: join(home.project, "notes.txt") };
}

const REPLAY = { agent: "replay" };

describe("a session of the library", () => {
  test("is the project's own, or the one that is named", async () => {
    const { home, adjutant, session } = await openLibrary();
    expect(session.id).toBe(`project:${home.project}`);
    expect((await adjutant.sessions.open("mine")).id).toBe("mine");
  });

  test("keeps the thread over its turns and apart from other sessions", async () => {
    const { adjutant, session } = await openLibrary();
    await session.send("I am Ada", REPLAY);
    const second = await session.send("still there?", { ...REPLAY, model: "m1" });
    expect(second).toMatchObject({ number: 2, status: "done", agent: "replay", model: "m1" });
    expect(second.answer).toContain("which began with “I am Ada”");
    const other = await adjutant.sessions.open("other");
    expect((await other.send("hello", REPLAY)).answer).toContain("the first prompt");
    expect((await session.turns()).map(({ prompt }) => prompt)).toEqual([
      "I am Ada",
      "still there?",
    ]);
    expect(await session.turns(1)).toHaveLength(1);
  });

  test("follows what the session's commands set", async () => {
    const { adjutant, session } = await openLibrary();
    await adjutant.dispatch({ name: "provider", args: ["replay"], sessionId: session.id });
    await adjutant.dispatch({ name: "model", args: ["m2"], sessionId: session.id });
    expect(await session.send("hello")).toMatchObject({ agent: "replay", model: "m2" });
  });

  test("tells what happens, by callback for one turn and as a stream for all, and nobody can change it", async () => {
    const { session } = await openLibrary();
    const stop = new AbortController();
    const streamed: HostEvent[] = [];
    const following = (async () => {
      for await (const event of session.follow({ signal: stop.signal })) streamed.push(event);
    })();
    const seen: HostEvent[] = [];
    await session.send("hello", { ...REPLAY, onEvent: (event) => seen.push(event) });
    stop.abort();
    await following;
    const kinds = new Set(seen.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(["turn", "event", "progress"]));
    expect(streamed).toEqual(seen);
    for (const event of [...seen, ...streamed]) expect(isFrozenDeep(event)).toBe(true);
  });

  test("ends a turn as cancelled when its signal fires, and answers the next prompt", async () => {
    const { session, file } = await openLibrary();
    const cancel = new AbortController();
    const onEvent = ({ kind }: HostEvent) => (kind === "question" ? cancel.abort() : undefined);
    const turn = await session.send("write a file", { ...REPLAY, signal: cancel.signal, onEvent });
    expect([turn.status, existsSync(file)]).toEqual(["cancelled", false]);
    expect((await session.send("hello", REPLAY)).status).toBe("done");
    expect(await session.cancel(turn.id)).toBe(false);
  });

  test("gives a turn that fails as a value", async () => {
    const { session } = await openLibrary();
    const turn = await session.send("hello", { agent: "clod" });
    expect(turn).toMatchObject({ status: "failed", problem: { code: "AgentUnknown" } });
  });
});

describe("a question in a session of the library", () => {
  test.each([
    ["yes", true, "I wrote"],
    ["no use another name", false, "use another name"],
  ])("is answered with `%s`", async (words, isWritten, said) => {
    const { session, file, home } = await openLibrary();
    const asked = Promise.withResolvers<void>();
    const onEvent = ({ kind }: HostEvent) => (kind === "question" ? asked.resolve() : undefined);
    const sending = session.send("write a file", { ...REPLAY, onEvent });
    await asked.promise;
    const [question] = await session.questions();
    expect(question).toMatchObject({ kind: "approval", sessionId: session.id });
    await session.answer(question?.id ?? "", words);
    expect((await sending).answer).toContain(said);
    expect(existsSync(file)).toBe(isWritten);
    await expect(session.answer(question?.id ?? "", "yes")).rejects.toMatchObject({
      name: "Fault",
      code: "QuestionOver",
    });
    expect((await home.events()).map(({ type }) => type)).toContain("InteractionAnswered");
  });

  test("is neither shown nor answered below an agent", async () => {
    const { session } = await openLibrary({ ADJ_DEPTH: "1" });
    await expect(session.questions()).rejects.toMatchObject({ name: "Fault" });
    await expect(session.answer("q", "yes")).rejects.toMatchObject({ name: "Fault" });
  });
});

test("an Adjutant waits for its turns before it closes, and sends nothing after", async () => {
  const { adjutant, session } = await openLibrary();
  const sending = session.send("hello", REPLAY);
  await adjutant.close();
  expect((await sending).status).toBe("done");
  await expect(session.send("hello", REPLAY)).rejects.toThrow("this Adjutant is closed");
});

function isFrozenDeep(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenDeep);
}
