import { describe, expect, test } from "vitest";
import type { CommandContext } from "../../../src/core/command/context.ts";
import { fault } from "../../../src/core/command/fault.ts";
import { fail, ok } from "../../../src/core/command/result.ts";
import type { CommandHooks } from "../../../src/core/dispatch/dispatch-context.ts";
import { describeOutcome, runProgram } from "./running-program.ts";
import { type Handler, SESSION } from "./test-program.ts";

/** Changes the state and the slot, then ends as it is told. */
const changing =
  (end: (context: CommandContext) => unknown): Handler =>
  async (_, context) => {
    await context.session.update((state) => ({ ...state, model: "changed" }));
    await context.session.slot().update(() => "changed");
    return end(context);
  };

const untilTold = ({ signal }: CommandContext) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(ok())));

const read = (program: ReturnType<typeof runProgram>) => [
  program.sessions.read(SESSION).model,
  program.sessions.readSlot(SESSION, "act"),
];

describe("updates of a command", () => {
  test("are committed together with its success", async () => {
    const during: unknown[] = [];
    const program = runProgram({
      act: {
        effect: "write",
        run: changing(() => {
          during.push(...read(program));
          return ok();
        }),
      },
    });
    await program.send("act");
    expect(during).toEqual([null, undefined]);
    expect(read(program)).toEqual(["changed", "changed"]);
  });

  test.each<[what: string, end: (context: CommandContext) => unknown, ending: string]>([
    ["a failure", () => fail("no"), "failed - 1"],
    ["a throw", () => Promise.reject(new Error("no")), "failed Internal/HandlerThrew 1"],
    [
      "a fault",
      () => Promise.reject(fault("Declined", { name: "act" })),
      "rejected Consent/Declined 126",
    ],
    ["an invalid result", () => ({}), "failed Internal/ResultInvalid 1"],
    ["a timeout", untilTold, "failed Timeout/CommandTimeout 124"],
  ])("are discarded by %s", async (_, end, ending) => {
    const program = runProgram({ act: { effect: "write", timeoutMs: 50, run: changing(end) } });
    expect(describeOutcome(await program.send("act"))).toBe(ending);
    expect(read(program)).toEqual([null, undefined]);
  });

  test("are discarded by a cancel, also of one that goes on to succeed", async () => {
    const controller = new AbortController();
    const run = changing(() => {
      controller.abort();
      return ok();
    });
    const program = runProgram({ act: { effect: "write", run } });
    expect((await program.send("act", { signal: controller.signal })).kind).toBe("cancelled");
    expect(read(program)).toEqual([null, undefined]);
  });

  test("never come about under a veto or an answer in place", async () => {
    const verdicts = [
      { kind: "veto", reason: "no" },
      { kind: "answer", result: ok() },
    ] as const;
    for (const verdict of verdicts) {
      const hooks: CommandHooks = { before: async () => verdict, after: async () => [] };
      const program = runProgram(
        { act: { effect: "write", run: changing(() => ok()) } },
        { hooks },
      );
      await program.send("act");
      expect(read(program)).toEqual([null, undefined]);
    }
  });

  test("are seen by the command itself before they are committed", async () => {
    const seen: unknown[] = [];
    const run: Handler = async (_, { session }) => {
      const after = await session.update((state) => ({ ...state, model: "one" }));
      await session.update((state) => ({ ...state, model: `${state.model} two` }));
      await session.slot().update(() => 1);
      await session.slot().update((value) => Number(value) + 1);
      seen.push(after.model, (await session.get()).model, await session.slot().get());
      return ok();
    };
    const program = runProgram({ act: { effect: "write", run } });
    await program.send("act");
    expect(seen).toEqual(["one", "one two", 2]);
    expect(read(program)).toEqual(["one two", 2]);
  });

  test("with `now` are there at once and stay after a failure", async () => {
    const run: Handler = async (_, { session }) => {
      await session.update((state) => ({ ...state, model: "now" }), { now: true });
      await session.slot().update(() => "now", { now: true });
      await session.update((state) => ({ ...state, agent: "staged" }));
      expect(read(program)).toEqual(["now", "now"]);
      return fail("no");
    };
    const program = runProgram({ act: { effect: "write", run } });
    expect(describeOutcome(await program.send("act"))).toBe("failed - 1");
    expect(read(program)).toEqual(["now", "now"]);
    expect(program.sessions.read(SESSION).agent).toBeNull();
  });

  test("with `now` do not carry staged ones along", async () => {
    const run: Handler = async (_, { session }) => {
      await session.update((state) => ({ ...state, agent: "staged" }));
      const seen = await session.update((state) => ({ ...state, model: "now" }), { now: true });
      expect(seen).toMatchObject({ agent: "staged", model: "now" });
      return fail("no");
    };
    const program = runProgram({ act: { effect: "write", run } });
    await program.send("act");
    expect(program.sessions.read(SESSION)).toMatchObject({ agent: null, model: "now" });
  });

  test.each<[what: string, change: (context: CommandContext) => Promise<unknown>]>([
    ["the state", ({ session }) => session.update((state) => state)],
    ["its slot", ({ session }) => session.slot().update(() => 1)],
    ["the state at once", ({ session }) => session.update((state) => state, { now: true })],
  ])("of %s need the effect `write`", async (_, change) => {
    const run: Handler = async (_args, context) => {
      await change(context);
      return ok();
    };
    const program = runProgram({ act: { run } });
    const outcome = await program.send("act");
    expect(describeOutcome(outcome)).toBe("rejected Usage/LeaseRequired 2");
    expect(outcome.error?.hint).toBe('declare `effect: "write"`');
  });
});
