import { expect, test } from "vitest";
import * as z from "zod";
import { fault } from "../../../src/core/command/fault.ts";
import { fail, ok } from "../../../src/core/command/result.ts";
import type { CommandHooks, CommandStep } from "../../../src/core/dispatch/dispatch-context.ts";
import { describeOutcome, isEveryLeaseFree, runProgram } from "./running-program.ts";
import { type Handler, SESSION } from "./test-program.ts";

const proceed: CommandHooks["before"] = async () => ({ kind: "proceed" });

test("every step comes in its place: hooks, consent, lease, run, commit, hooks, release", async () => {
  const steps: string[] = [];
  const note = (step: string) =>
    steps.push(
      [
        step,
        isEveryLeaseFree(program) ? "free" : "held",
        program.sessions.read(SESSION).model ?? "unchanged",
        program.events().length,
      ].join(" "),
    );
  const run: Handler = async (_, { session }) => {
    await session.update((state) => ({ ...state, model: "changed" }));
    note("run");
    return ok();
  };
  const hooks: CommandHooks = {
    before: async () => {
      note("before");
      return { kind: "proceed" };
    },
    after: async () => {
      note("after");
      return [];
    },
  };
  const confirm = async () => note("consent") > 0;
  const person = { name: "one", confirm, select: async () => "", input: async () => "" };
  const program = runProgram({ act: { effect: "write", safety: "destructive", run } }, { hooks });
  program.dispatcher.events.subscribe(({ type }) => {
    if (type === "CommandDispatched" || type === "CommandResulted") note(type);
  });
  await program.send("act", { interactors: [person] });
  expect(steps).toEqual([
    "CommandDispatched free unchanged 1",
    "before free unchanged 1",
    "consent free unchanged 2",
    "run held unchanged 3",
    "after held changed 4",
    "CommandResulted free changed 5",
  ]);
});

test("the hook before sees the checked arguments and may rewrite them", async () => {
  const seen: CommandStep[] = [];
  const given: unknown[] = [];
  const hooks: CommandHooks = {
    before: async (step) => {
      seen.push(step);
      return { kind: "proceed", args: { to: "staging" } };
    },
    after: async () => [],
  };
  const args = z.object({ to: z.string(), dry: z.boolean().default(true) });
  const run: Handler = (one) => ok(String(given.push(one)));
  const program = runProgram({ act: { args, run } }, { hooks });
  const { correlationId } = await program.send("act --to=prod --no-dry");
  expect(seen[0]).toMatchObject({
    command: { name: "act" },
    args: { to: "prod", dry: false },
    line: "act --to=prod --no-dry",
    correlationId,
    sessionId: SESSION,
    origin: { surface: "library" },
  });
  expect(given).toEqual([{ to: "staging", dry: true }]);
});

test("rewritten arguments of a command without a schema are given as they are", async () => {
  const given: unknown[] = [];
  const rewritten = { _: ["other"] };
  const hooks: CommandHooks = {
    before: async () => ({ kind: "proceed", args: rewritten }),
    after: async () => [],
  };
  const run: Handler = (one) => ok(String(given.push(one)));
  const program = runProgram({ act: { run } }, { hooks });
  await program.send("act one");
  expect(given).toEqual([rewritten]);
});

test.each<[what: string, run: Handler, outcome: unknown, errorOutput: unknown]>([
  ["a success", () => ok("out"), { exitCode: 0, error: null }, "first\nsecond"],
  ["a failure", () => fail("why", 3), { exitCode: 3, error: null }, "why\nfirst\nsecond"],
  [
    "a failure in bytes",
    () => fail(Buffer.from("why")),
    { exitCode: 1, error: null },
    "why\nfirst\nsecond",
  ],
  [
    "a fault",
    () => Promise.reject(fault("Declined", { name: "act" })),
    { exitCode: 126, error: expect.objectContaining({ code: "Declined" }) },
    "`act` was declined\nfirst\nsecond",
  ],
])("the hook after sees %s and adds its reasons, the outcome stays", async (_, run, seen, text) => {
  const outcomes: unknown[] = [];
  const hooks: CommandHooks = {
    before: proceed,
    after: async (_step, outcome) => {
      outcomes.push(outcome);
      return ["first", "second"];
    },
  };
  const plain = await runProgram({ act: { run } }).send("act");
  const outcome = await runProgram({ act: { run } }, { hooks }).send("act");
  expect(describeOutcome(outcome)).toBe(describeOutcome(plain));
  expect(outcomes).toEqual([seen]);
  expect(outcome.result).toEqual({ ...plain.result, errorOutput: text });
});

test("a cancel while the hook before runs counts, whatever the hook then says", async () => {
  const verdicts = [
    { kind: "answer", result: ok() },
    { kind: "veto", reason: "no" },
    { kind: "proceed" },
  ] as const;
  for (const verdict of verdicts) {
    const controller = new AbortController();
    const hooks: CommandHooks = {
      before: async () => {
        controller.abort();
        return verdict;
      },
      after: async () => [],
    };
    const outcome = await runProgram({ act: {} }, { hooks }).send("act", {
      signal: controller.signal,
    });
    expect(describeOutcome(outcome)).toBe("cancelled Cancelled/Cancelled 130");
  }
});
