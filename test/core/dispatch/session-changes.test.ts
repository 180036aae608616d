import { describe, expect, test } from "vitest";
import { EMPTY_SESSION, type SessionState } from "../../../src/core/command/context.ts";
import { fail, ok } from "../../../src/core/command/result.ts";
import { sessionChanges } from "../../../src/core/dispatch/session.ts";
import { runProgram } from "./running-program.ts";
import { type Handler, SESSION } from "./test-program.ts";

const CHANGES = ["ProviderChanged", "ModelChanged", "ParamsChanged"] as const;

const changing =
  (change: Partial<SessionState>, end = ok()): Handler =>
  async (_, { session }) => {
    await session.update((state) => ({ ...state, ...change }));
    return end;
  };

describe("a change of the session", () => {
  const change = { agent: "codex", model: "gpt", params: { temperature: 0.5, key: "env:NAME" } };

  test("is announced after its commit, inside the command's pair", async () => {
    const program = runProgram({ act: { effect: "write", run: changing(change) } });
    const atEvent: unknown[] = [];
    program.dispatcher.events.subscribe(({ type }) => {
      if (type === "ModelChanged") atEvent.push(program.sessions.read(SESSION).model);
    });
    const { correlationId } = await program.send("act");
    expect(atEvent).toEqual(["gpt"]);
    const events = program.events();
    expect(events.map(({ type, data }) => [type, data.paramPath ?? null])).toEqual([
      ["CommandDispatched", null],
      ["ProviderChanged", null],
      ["ModelChanged", null],
      ["ParamsChanged", "key"],
      ["ParamsChanged", "temperature"],
      ["CommandResulted", null],
    ]);
    for (const event of events) expect(event.correlationId).toBe(correlationId);
    for (const event of program.events(...CHANGES))
      expect(event.causationId).toBe(String(events[0]?.seq));
  });

  test("that is discarded is not announced", async () => {
    const run = changing(change, fail("no"));
    const program = runProgram({ act: { effect: "write", run } });
    await program.send("act");
    expect(program.events(...CHANGES)).toEqual([]);
  });

  test("that is committed at once is announced at once", async () => {
    const run: Handler = async (_, { session }) => {
      await session.update((state) => ({ ...state, model: "gpt" }), { now: true });
      expect(program.events("ModelChanged")).toHaveLength(1);
      return fail("no");
    };
    const program = runProgram({ act: { effect: "write", run } });
    await program.send("act");
    expect(program.events("ModelChanged")).toHaveLength(1);
  });

  test("that changes nothing is not announced", async () => {
    const program = runProgram({ act: { effect: "write", run: changing(change) } });
    await program.send("act");
    await program.send("act");
    expect(program.events("ModelChanged")).toHaveLength(1);
    expect(program.events("ParamsChanged")).toHaveLength(2);
  });
});

describe("what is announced", () => {
  const from: SessionState = {
    ...EMPTY_SESSION,
    agent: "codex",
    params: { same: [1], text: "hunter2", gone: 5 },
  };
  const to: SessionState = {
    ...EMPTY_SESSION,
    agent: "claude-code",
    params: {
      same: [1],
      text: "hunter22",
      list: ["hunter2"],
      object: { a: "hunter2" },
      none: null,
    },
  };

  test("values of params are shapes, unset ones are said to be so", () => {
    const changes = sessionChanges(from, to).filter(({ type }) => type === "ParamsChanged");
    const deltas = changes.map(({ data }) => [data.paramPath, data.redactedDelta]);
    expect(deltas).toEqual([
      ["gone", { from: "number", to: "unset" }],
      ["list", { from: "unset", to: "array(1)" }],
      ["none", { from: "unset", to: "null" }],
      ["object", { from: "unset", to: "object(1)" }],
      ["text", { from: "string(7)", to: "string(8)" }],
    ]);
    expect(changes.every(({ data }) => data.sourceLayer === "session")).toBe(true);
    expect(JSON.stringify(changes)).not.toContain("hunter2");
  });

  test("agent and model come as they were and as they are", () => {
    expect(sessionChanges(from, { ...to, model: "opus" }).slice(0, 2)).toEqual([
      { type: "ProviderChanged", data: { from: "codex", to: "claude-code" } },
      { type: "ModelChanged", data: { from: null, to: "opus" } },
    ]);
  });

  test("a secret given as a name is masked", () => {
    const secret = `sk-${"a1B2".repeat(10)}`;
    const after = { ...EMPTY_SESSION, model: secret, agent: secret, params: { [secret]: 1 } };
    expect(JSON.stringify(sessionChanges(EMPTY_SESSION, after))).not.toContain(secret);
  });
});
