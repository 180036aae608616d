import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { openScope } from "../../../src/core/command/cancellation.ts";
import { fault } from "../../../src/core/command/fault.ts";
import type { Interactor } from "../../../src/core/command/request.ts";
import { ok } from "../../../src/core/command/result.ts";
import { waitUntil } from "../../support/wait-until.ts";
import {
  describeOutcome,
  isEveryLeaseFree,
  makeGate,
  runProgram,
  untilWaiting,
} from "./running-program.ts";
import { type Handler, SESSION, type TestProgram } from "./test-program.ts";

const never = new Promise<never>(() => {});
const silent: Interactor = {
  name: "terminal",
  confirm: () => never,
  select: () => never,
  input: () => never,
};

const CANCELLED = "cancelled Cancelled/Cancelled 130";

/** The dispatch of `act` has its two events, and nothing of it is left in the session. */
function expectTidy(program: TestProgram): void {
  const own = program
    .events("CommandDispatched", "CommandResulted")
    .filter((event) => event.data.name === "act");
  expect(own.map((event) => event.type)).toEqual(["CommandDispatched", "CommandResulted"]);
  expect(own[1]?.data).toMatchObject({ outcome: { kind: "cancelled", exitCode: 130 } });
  expect(isEveryLeaseFree(program)).toBe(true);
  expect(program.sessions.read(SESSION).model).toBeNull();
}

const changeModel: Handler = async (_, { session }) => {
  await session.update((state) => ({ ...state, model: "changed" }));
  return ok();
};

describe("a cancel leaves the lease free and the state as it was", () => {
  test("before the dispatch", async () => {
    const run = vi.fn(changeModel);
    const before = vi.fn(async () => ({ kind: "proceed" }) as const);
    const hooks = { before, after: async () => [] };
    const program = runProgram({ act: { effect: "write", run } }, { hooks });
    const outcome = await program.send("act", { signal: AbortSignal.abort() });
    expect(describeOutcome(outcome)).toBe(CANCELLED);
    expect(before).not.toHaveBeenCalled();
    expect(run).not.toHaveBeenCalled();
    expectTidy(program);
  });

  test("while queued for the lease", async () => {
    const gate = makeGate();
    const run = vi.fn(changeModel);
    const hold: Handler = async () => {
      await gate.pass();
      return ok();
    };
    const program = runProgram({
      hold: { effect: "write", run: hold },
      act: { effect: "write", run },
    });
    const holding = program.send("hold");
    await gate.reached;
    const controller = new AbortController();
    const acting = program.send("act", { signal: controller.signal });
    await untilWaiting(program, 1);
    controller.abort();
    expect(describeOutcome(await acting)).toBe(CANCELLED);
    expect(run).not.toHaveBeenCalled();
    gate.open();
    expect((await holding).kind).toBe("ok");
    expectTidy(program);
  });

  test("while the write before it is still being loaded", async () => {
    const gate = makeGate();
    const program = runProgram({
      slow: { effect: "write", loading: gate.pass() },
      act: { effect: "write", run: changeModel },
    });
    const controller = new AbortController();
    const slow = program.send("slow");
    const acting = program.send("act", { signal: controller.signal });
    await waitUntil(() => program.events("CommandDispatched").length === 2);
    await nextTurn();
    controller.abort();
    expect(describeOutcome(await acting)).toBe(CANCELLED);
    gate.open();
    expect((await slow).kind).toBe("ok");
    expectTidy(program);
  });

  test("while a read waits for its own write", async () => {
    const gate = makeGate();
    const hold: Handler = async () => {
      await gate.pass();
      return ok();
    };
    const program = runProgram({ hold: { effect: "write", run: hold }, act: {} });
    const holding = program.send("hold");
    const controller = new AbortController();
    const reading = program.send("act", { signal: controller.signal });
    await gate.reached;
    controller.abort();
    expect(describeOutcome(await reading)).toBe(CANCELLED);
    gate.open();
    await holding;
    expectTidy(program);
  });

  test("while running, whatever the handler then returns or throws", async () => {
    const endings: readonly (() => unknown)[] = [
      () => ok("too late"),
      () => Promise.reject(new Error("aborted")),
      () => Promise.reject(fault("FileInvalid", { problem: "no" })),
      () => undefined,
    ];
    for (const end of endings) {
      const gate = makeGate();
      const run: Handler = async (args, context) => {
        await changeModel(args, context);
        await gate.pass();
        return end();
      };
      const program = runProgram({ act: { effect: "write", run } });
      const controller = new AbortController();
      const acting = program.send("act", { signal: controller.signal });
      await gate.reached;
      controller.abort();
      gate.open();
      expect(describeOutcome(await acting)).toBe(CANCELLED);
      expectTidy(program);
    }
  });

  test("while running a handler that does not listen", async () => {
    const gate = makeGate();
    const run: Handler = async (args, context) => {
      await changeModel(args, context);
      await gate.pass();
      return ok();
    };
    const program = runProgram({ act: { effect: "write", run } });
    const controller = new AbortController();
    const acting = program.send("act", { signal: controller.signal });
    await gate.reached;
    controller.abort();
    expect(describeOutcome(await acting)).toBe(CANCELLED);
    gate.open();
    expectTidy(program);
  });

  test("while the handler asks", async () => {
    const run: Handler = async (args, context) => {
      await changeModel(args, context);
      await context.ask.confirm("really?");
      return ok();
    };
    const program = runProgram({ act: { effect: "write", run } });
    const controller = new AbortController();
    program.dispatcher.events.subscribe(({ type }) => {
      if (type === "InteractionRaised") controller.abort();
    });
    const sending = { signal: controller.signal, interactors: [silent] };
    expect(describeOutcome(await program.send("act", sending))).toBe(CANCELLED);
    expectTidy(program);
  });

  test("while consent is asked for", async () => {
    const run = vi.fn(changeModel);
    const program = runProgram({ act: { effect: "write", safety: "destructive", run } });
    const controller = new AbortController();
    program.dispatcher.events.subscribe(({ type }) => {
      if (type === "InteractionRaised") controller.abort();
    });
    const sending = { signal: controller.signal, interactors: [silent] };
    expect(describeOutcome(await program.send("act", sending))).toBe(CANCELLED);
    expect(run).not.toHaveBeenCalled();
    expectTidy(program);
  });
});

test("a cancel right after consent was given comes in time", async () => {
  const run = vi.fn(() => ok());
  const program = runProgram({ act: { safety: "destructive", run } });
  const controller = new AbortController();
  program.dispatcher.events.subscribe(({ type }) => {
    if (type === "InteractionAnswered") controller.abort();
  });
  const agreeing = { ...silent, confirm: async () => true };
  const sending = { signal: controller.signal, interactors: [agreeing] };
  expect(describeOutcome(await program.send("act", sending))).toBe(CANCELLED);
  expect(run).not.toHaveBeenCalled();
});

describe("the reason of a cancel", () => {
  test("by SIGTERM has the exit code of that signal", async () => {
    const program = runProgram({ act: {} });
    const signal = AbortSignal.abort(fault("Cancelled", { name: "act", signal: "SIGTERM" }));
    expect(describeOutcome(await program.send("act", { signal }))).toBe(
      "cancelled Cancelled/Cancelled 143",
    );
  });

  test("keeps what was already put out", async () => {
    const gate = makeGate();
    const run: Handler = async () => {
      await gate.pass();
      return ok("half of it", { rows: 5 });
    };
    const program = runProgram({ act: { run } });
    const controller = new AbortController();
    const acting = program.send("act", { signal: controller.signal });
    await gate.reached;
    controller.abort();
    gate.open();
    const { result } = await acting;
    expect(result).toMatchObject({ output: "half of it", metadata: { rows: 5 }, exitCode: 130 });
    expect(result.errorOutput).toBe("`act` was cancelled");
  });
});

describe("a scope", () => {
  test("cancels its descendants with the root cause, and never its parent", () => {
    const root = openScope();
    const child = openScope(root.signal);
    const grandchild = openScope(child.signal);
    const sibling = openScope(root.signal);
    child.cancel("why");
    expect([child, grandchild].map(({ signal }) => signal.reason)).toEqual(["why", "why"]);
    expect([root, sibling].map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });

  test("of a cancelled parent begins cancelled", () => {
    expect(openScope(AbortSignal.abort("why")).signal.reason).toBe("why");
  });

  test("that is closed no longer follows its parent", () => {
    const root = openScope();
    const child = openScope(root.signal);
    child.close();
    root.cancel("why");
    expect(child.signal.aborted).toBe(false);
  });
});
