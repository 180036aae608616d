import { describe, expect, test } from "vitest";
import { ok } from "../../../src/core/command/result.ts";
import { describeOutcome, isEveryLeaseFree, makeGate, runProgram } from "./running-program.ts";
import { type Handler, SESSION, type TestCommand } from "./test-program.ts";

const setModel =
  (model: string): Handler =>
  async (_, { session }) => {
    await session.update((state) => ({ ...state, model }));
    return ok(model);
  };

/** Dispatches one command and answers with how that ended. */
const through =
  (name: string): Handler =>
  async (_, context) => {
    const { kind, result } = await context.dispatch({ name });
    return ok(`${kind} ${result.exitCode} ${result.output}`);
  };

describe("a command that dispatches another", () => {
  test("shares its correlation, and each is caused by the one around it", async () => {
    const program = runProgram({
      outer: { run: through("middle") },
      middle: { run: through("inner") },
      inner: {},
    });
    const { correlationId } = await program.send("outer", { surface: "cli" });
    const events = program.events();
    expect(events.map((event) => `${event.type} ${event.data.name}`)).toEqual([
      "CommandDispatched outer",
      "CommandDispatched middle",
      "CommandDispatched inner",
      "CommandResulted inner",
      "CommandResulted middle",
      "CommandResulted outer",
    ]);
    expect(new Set(events.map((event) => event.correlationId))).toEqual(new Set([correlationId]));
    const [outer, middle, inner] = events.map(({ seq }) => String(seq));
    expect(events.map((event) => event.causationId)).toEqual([
      undefined,
      outer,
      middle,
      inner,
      middle,
      outer,
    ]);
    expect(events.map((event) => event.origin.parent ?? null)).toEqual([
      null,
      correlationId,
      correlationId,
      correlationId,
      correlationId,
      null,
    ]);
  });

  test.each<[outer: TestCommand["effect"], inner: TestCommand["effect"]]>([
    ["write", "write"],
    ["write", "exclusive"],
    ["read", "write"],
    ["write", "read"],
  ])("does not wait for itself (%s around %s)", async (outer, inner) => {
    const program = runProgram({
      outer: { ...(outer && { effect: outer }), run: through("inner") },
      inner: {
        ...(inner && { effect: inner }),
        run: inner === "read" ? () => ok("inner") : setModel("inner"),
      },
    });
    expect((await program.send("outer")).result.output).toBe("ok 0 inner");
    expect(program.sessions.read(SESSION).model).toBe(inner === "read" ? null : "inner");
    expect(isEveryLeaseFree(program)).toBe(true);
  });

  test("sees what the inner one changed, and its own change comes last", async () => {
    const seen: unknown[] = [];
    const run: Handler = async (_, context) => {
      await context.session.update((state) => ({ ...state, agent: "outer" }));
      await context.dispatch({ name: "inner" });
      seen.push(await context.session.get());
      return ok();
    };
    const program = runProgram({
      outer: { effect: "write", run },
      inner: { effect: "write", run: setModel("inner") },
    });
    await program.send("outer");
    expect(seen).toMatchObject([{ agent: "outer", model: "inner" }]);
    expect(program.sessions.read(SESSION)).toMatchObject({ agent: "outer", model: "inner" });
  });

  test("does not lend its lease to one that only reads", async () => {
    const program = runProgram({
      outer: { effect: "write", run: through("inner") },
      inner: { run: setModel("inner") },
    });
    expect((await program.send("outer")).result.output).toBe("rejected 2 ");
    expect(program.sessions.read(SESSION).model).toBeNull();
  });

  test("gets the inner one's failure as a value and goes on", async () => {
    const program = runProgram({
      outer: { run: through("inner") },
      inner: { run: () => Promise.reject(new Error("no")) },
    });
    const outcome = await program.send("outer");
    expect(describeOutcome(outcome)).toBe("ok - 0");
    expect(outcome.result.output).toBe("failed 1 ");
  });

  test("has the inner output to itself: nothing of it reaches the screen", async () => {
    const run: Handler = async (_, { write, isInteractive }) => {
      await write(`interactive: ${isInteractive}`);
      return ok();
    };
    const program = runProgram({ outer: { run: through("inner") }, inner: { run } });
    const shown: Uint8Array[] = [];
    const onOutput = (chunk: Uint8Array) => void shown.push(chunk);
    await program.send("outer", { onOutput, isInteractive: true, surface: "cli" });
    expect(shown).toEqual([]);
  });
});

describe("nesting", () => {
  test("of sixteen commands is allowed, the seventeenth is refused", async () => {
    const dive =
      (limit: number): Handler =>
      async (args, context) => {
        const depth = Number(Object.values(Object(args)).flat()[0] ?? 1);
        if (depth === limit) return ok(`reached ${depth}`);
        const inner = await context.dispatch({ name: "dive", args: [String(depth + 1)] });
        return inner.kind === "ok" ? inner.result : ok(`refused at ${depth + 1}`);
      };
    const sixteen = runProgram({ dive: { effect: "write", run: dive(16) } });
    expect((await sixteen.send("dive")).result.output).toBe("reached 16");
    const seventeen = runProgram({ dive: { effect: "write", run: dive(17) } });
    expect((await seventeen.send("dive")).result.output).toBe("refused at 17");
    const results = seventeen.events("CommandResulted").map(({ data }) => data.outcome);
    expect(results).toHaveLength(17);
    expect(results[0]).toMatchObject({
      kind: "rejected",
      class: "Usage",
      code: "TooDeep",
      exitCode: 2,
    });
    expect(results.slice(1)).toMatchObject(Array(16).fill({ kind: "ok" }));
  });
});

describe("cancelling", () => {
  test("the inner one leaves the outer one", async () => {
    const wait: Handler = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve(ok())));
    const program = runProgram({
      outer: { effect: "write", run: through("inner") },
      inner: { timeoutMs: 10, run: wait },
    });
    const outcome = await program.send("outer");
    expect(describeOutcome(outcome)).toBe("ok - 0");
    expect(outcome.result.output).toBe("failed 124 ");
  });

  test("the outer one reaches the inner one with the root cause", async () => {
    const gate = makeGate();
    const reasons: unknown[] = [];
    const wait: Handler = async (_, { signal }) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      await gate.pass();
      return ok();
    };
    const program = runProgram({
      outer: { effect: "write", run: through("middle") },
      middle: { run: through("inner") },
      inner: { effect: "write", run: wait },
    });
    const controller = new AbortController();
    const acting = program.send("outer", { signal: controller.signal });
    await gate.reached;
    const reason = new Error("the person left");
    controller.abort(reason);
    gate.open();
    expect(describeOutcome(await acting)).toBe("cancelled Cancelled/Cancelled 130");
    expect(reasons).toEqual([reason]);
    const kinds = program.events("CommandResulted").map(({ data }) => data.outcome);
    expect(kinds).toMatchObject(Array(3).fill({ kind: "cancelled", code: "Cancelled" }));
    expect(isEveryLeaseFree(program)).toBe(true);
  });

  test("the outer one by its time limit ends the inner one for that reason", async () => {
    const wait: Handler = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve(ok())));
    const program = runProgram({
      outer: { timeoutMs: 10, run: through("inner") },
      inner: { run: wait },
    });
    await program.send("outer");
    const outcomes = program.events("CommandResulted").map(({ data }) => data.outcome);
    expect(outcomes).toMatchObject(Array(2).fill({ class: "Timeout", code: "CommandTimeout" }));
  });
});
