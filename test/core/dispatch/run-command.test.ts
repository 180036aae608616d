import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ok } from "../../../src/core/command/result.ts";
import { createLoopWatch } from "../../../src/core/dispatch/run-command.ts";
import { describeOutcome, isEveryLeaseFree, makeGate, runProgram } from "./running-program.ts";
import { type Handler, SESSION } from "./test-program.ts";

function blockLoop(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test.each<[what: string, run: Handler]>([
  [
    "from the start",
    () => {
      blockLoop(1_200);
      return ok();
    },
  ],
  [
    "after a while",
    async () => {
      await pause(150);
      blockLoop(1_200);
      await pause(1);
      return ok();
    },
  ],
])("a handler that blocks the event loop for over a second is a diagnostic: %s", async (_, run) => {
  const program = runProgram({ act: { run } });
  expect((await program.send("act")).kind).toBe("ok");
  const [diagnostic, ...others] = program.events("Diagnostic");
  expect(diagnostic?.data).toEqual({
    code: "LoopBlocked",
    where: "handler",
    blockedMs: expect.any(Number),
  });
  expect(Number(diagnostic?.data.blockedMs)).toBeGreaterThan(1_000);
  expect(others).toEqual([]);
});

describe("the watch", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance", "hrtime"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("says nothing of handlers that take long without blocking", () => {
    const blocked: number[] = [];
    const watch = createLoopWatch((milliseconds) => blocked.push(milliseconds));
    const leaves = [watch.enter(), watch.enter()];
    vi.advanceTimersByTime(60_000);
    for (const leave of leaves) leave();
    expect(blocked).toEqual([]);
  });

  test("keeps no timer when nobody runs", () => {
    const watch = createLoopWatch(() => {});
    const leaves = [watch.enter(), watch.enter()];
    expect(vi.getTimerCount()).toBe(1);
    for (const leave of leaves) leave();
    expect(vi.getTimerCount()).toBe(0);
  });
});

const TIMED_OUT = "failed Timeout/CommandTimeout 124";
const DAY = 86_400_000;

/** Changes the session and then goes on until it is told to stop, or for ever. */
const dawdle =
  (isListening: boolean): Handler =>
  async (_, { session, signal }) => {
    await session.update((state) => ({ ...state, model: "changed" }));
    await new Promise((resolve) => {
      if (isListening) signal.addEventListener("abort", resolve);
    });
    return ok("too late");
  };

describe("a command that takes too long", () => {
  test.each([
    ["stops when it is told to", true],
    ["is left behind when it does not listen", false],
  ])("%s, and nothing of it stays", async (_, isListening) => {
    const program = runProgram({
      act: { effect: "write", timeoutMs: 20, run: dawdle(isListening) },
    });
    const outcome = await program.send("act");
    expect(describeOutcome(outcome)).toBe(TIMED_OUT);
    expect(outcome.error?.message).toBe("`act` did not finish within 20 ms");
    const events = program.events();
    expect(events.map(({ type }) => type)).toEqual(["CommandDispatched", "CommandResulted"]);
    expect(new Set(events.map((event) => event.correlationId)).size).toBe(1);
    expect(isEveryLeaseFree(program)).toBe(true);
    expect(program.sessions.read(SESSION).model).toBeNull();
  });

  test("that is left behind can change nothing afterwards", async () => {
    const gate = makeGate();
    const late = Promise.withResolvers<unknown>();
    const run: Handler = async (_, { session }) => {
      await gate.pass();
      const update = session.update((state) => ({ ...state, model: "late" }), { now: true });
      late.resolve(await update.catch((error: unknown) => error));
      return ok();
    };
    const program = runProgram({ act: { effect: "write", timeoutMs: 20, run } });
    expect(describeOutcome(await program.send("act"))).toBe(TIMED_OUT);
    gate.open();
    expect(await late.promise).toMatchObject({ class: "Storage", code: "LeaseLost" });
    expect(program.sessions.read(SESSION).model).toBeNull();
  });
});

describe("the limit", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const pending = () => {
    const gate = makeGate();
    const run: Handler = async () => {
      await gate.pass();
      return ok();
    };
    return { gate, run };
  };

  test("in a hook is 30 seconds where the command names none", async () => {
    const { gate, run } = pending();
    const program = runProgram({ act: { run } });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isOver = false;
    const acting = program.send("act", { surface: "hook" }).finally(() => {
      isOver = true;
    });
    await gate.reached;
    await vi.advanceTimersByTimeAsync(29_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(describeOutcome(await acting)).toBe(TIMED_OUT);
  });

  test.each<[what: string, timeoutMs: number | null]>([
    ["in a shell is none where the command names none", null],
    ["may be longer than a timer can wait", 30 * DAY],
  ])("%s", async (_, timeoutMs) => {
    const { gate, run } = pending();
    const program = runProgram({ act: { run, timeoutMs } });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const acting = program.send("act", { surface: "cli" });
    await gate.reached;
    await vi.advanceTimersByTimeAsync(20 * DAY);
    gate.open();
    expect(describeOutcome(await acting)).toBe("ok - 0");
  });
});
