import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type Fault, fault } from "../../../src/core/command/fault.ts";
import { fail, ok } from "../../../src/core/command/result.ts";
import type { CommandHooks } from "../../../src/core/dispatch/dispatch-context.ts";
import { describeOutcome, isEveryLeaseFree, runProgram } from "./running-program.ts";
import type { Handler, Sending, TestCommand, TestProgram } from "./test-program.ts";

/** Two events, of one correlation, the second caused by the first, with the outcome's facts. */
async function expectPair(
  program: TestProgram,
  ending: string,
  sending: Sending = {},
  line = "act",
): Promise<void> {
  const outcome = await program.send(line, sending);
  expect(describeOutcome(outcome)).toBe(ending);
  expect(outcome.result.success).toBe(outcome.kind === "ok");
  const pair = program.events("CommandDispatched", "CommandResulted");
  expect(pair.map((event) => event.type)).toEqual(["CommandDispatched", "CommandResulted"]);
  expect(pair.map((event) => event.correlationId)).toEqual(Array(2).fill(outcome.correlationId));
  expect(pair[1]?.causationId).toBe(String(pair[0]?.seq));
  expect(pair[1]?.data).toEqual({
    name: "act",
    outcome: {
      kind: outcome.kind,
      exitCode: outcome.result.exitCode,
      class: outcome.error?.class ?? null,
      code: outcome.error?.code ?? null,
      durationMs: expect.any(Number),
    },
  });
  expect(isEveryLeaseFree(program)).toBe(true);
}

const throwing = (thrown: unknown) => () => {
  throw thrown;
};

describe("what a handler returns or throws ends as one outcome and two events", () => {
  const cyclic = new Error("its own cause");
  cyclic.cause = cyclic;
  test.each<[what: string, run: Handler, ending: string]>([
    ["success", () => ok("done"), "ok - 0"],
    ["success later", async () => ok("done"), "ok - 0"],
    ["a failure", () => fail("no", 3), "failed - 3"],
    ["no result", () => undefined, "failed Internal/ResultInvalid 1"],
    ["an inconsistent result", () => ({ ...ok(), exitCode: 4 }), "failed Internal/ResultInvalid 1"],
    ["a plain throw", throwing(new TypeError("x is undefined")), "failed Internal/HandlerThrew 1"],
    ["a rejection", () => Promise.reject(new Error("no")), "failed Internal/HandlerThrew 1"],
    ["a thrown string", throwing("no"), "failed Internal/HandlerThrew 1"],
    ["a thrown nothing", throwing(undefined), "failed Internal/HandlerThrew 1"],
    ["an error that is its own cause", throwing(cyclic), "failed Internal/HandlerThrew 1"],
  ])("%s", async (_, run, ending) => {
    const program = runProgram({ act: { effect: "write", run } });
    await expectPair(program, ending);
  });
});

const OF_EACH_CLASS: readonly [ending: string, raised: Fault][] = [
  ["rejected Usage/EnvUndeclared 2", fault("EnvUndeclared", { command: "act", name: "X" })],
  ["rejected Config/FileInvalid 2", fault("FileInvalid", { problem: "no" })],
  ["rejected Trust/Untrusted 126", fault("Untrusted", { root: "/p" })],
  ["rejected Consent/Declined 126", fault("Declined", { name: "act" })],
  ["cancelled Cancelled/Cancelled 130", fault("Cancelled", { name: "act" })],
  ["failed Timeout/CommandTimeout 124", fault("CommandTimeout", { name: "x", limitMs: 5 })],
  ["failed Process/SpawnFailed 127", fault("SpawnFailed", { program: "x", problem: "no" })],
  ["failed Agent/AgentUnknown 2", fault("AgentUnknown", { agent: "x", suggestions: [] })],
  ["rejected Hook/Vetoed 126", fault("Vetoed", { reason: "no" })],
  ["failed Storage/LeaseLost 1", fault("LeaseLost", { session: "s" })],
  ["failed Internal/ProcessLost 1", fault("ProcessLost", { name: "act" })],
];

describe("class and code of a fault survive every wrapper", () => {
  test.each(OF_EACH_CLASS)("%s", async (ending, raised) => {
    const wrappers = [
      raised,
      new Error("wrapped", { cause: raised }),
      new TypeError("twice", { cause: new Error("wrapped", { cause: raised }) }),
      new AggregateError([new Error("another"), new Error("wrapped", { cause: raised })]),
    ];
    for (const thrown of wrappers) {
      const program = runProgram({ act: { effect: "write", run: throwing(thrown) } });
      await expectPair(program, ending);
    }
  });

  test("the message and the hint come with them", async () => {
    const raised = fault("FileInvalid", { problem: "no colon" }, { hint: "add one" });
    const program = runProgram({ act: { run: throwing(new Error("x", { cause: raised })) } });
    const { error, result } = await program.send("act");
    expect(error).toEqual({
      class: "Config",
      code: "FileInvalid",
      message: "no colon",
      hint: "add one",
    });
    expect(result).toMatchObject({ success: false, errorOutput: "no colon; add one" });
  });
});

describe("what comes before the handler ends the same way, and the handler does not run", () => {
  const act = (declared: TestCommand = {}): { act: TestCommand } => ({
    act: { effect: "write", run: throwing(new Error("it ran")), ...declared },
  });
  const withBefore = (before: CommandHooks["before"]): CommandHooks => ({
    before,
    after: async () => [],
  });

  test.each<[what: string, declared: TestCommand, line: string, ending: string]>([
    [
      "arguments that do not fit",
      { args: z.object({ n: z.number() }) },
      "act",
      "rejected Usage/ArgumentsInvalid 2",
    ],
    ["an unknown flag", { args: z.object({}) }, "act --x", "rejected Usage/FlagUnknown 2"],
    [
      "a parser of the command's own that throws",
      { parseArgs: throwing(new Error("no")) },
      "act x",
      "rejected Usage/ArgumentsInvalid 2",
    ],
    ["nobody to consent", { safety: "destructive" }, "act", "rejected Consent/Required 126"],
    [
      "a definition that cannot be loaded",
      { broken: { class: "Config", code: "FileInvalid", message: "act.ts:1:1: no", hint: null } },
      "act",
      "rejected Config/CommandBroken 2",
    ],
  ])("%s", async (_, declared, line, ending) => {
    await expectPair(runProgram(act(declared)), ending, {}, line);
  });

  test.each<[what: string, before: CommandHooks["before"], ending: string]>([
    ["a veto", async () => ({ kind: "veto", reason: "not today" }), "rejected Hook/Vetoed 126"],
    ["an answer in place", async () => ({ kind: "answer", result: ok("instead") }), "ok - 0"],
    ["a failed answer", async () => ({ kind: "answer", result: fail("no", 9) }), "failed - 9"],
    ["a crash of a hook", throwing(new Error("hook")), "failed Internal/HandlerThrew 1"],
    [
      "rewritten arguments that do not fit",
      async () => ({ kind: "proceed", args: { n: "five" } }),
      "rejected Usage/ArgumentsInvalid 2",
    ],
  ])("%s", async (_, before, ending) => {
    const commands = act({ args: z.object({ n: z.number().optional() }) });
    await expectPair(runProgram(commands, { hooks: withBefore(before) }), ending);
  });

  test("the veto's reason is what the caller reads", async () => {
    const before = async () => ({ kind: "veto", reason: "not today" }) as const;
    const program = runProgram(act(), { hooks: withBefore(before) });
    expect((await program.send("act")).result.errorOutput).toBe("not today");
  });
});

test("a crash of the hook after the command ends as failed, with two events", async () => {
  const hooks: CommandHooks = { before: async () => ({ kind: "proceed" }), after: throwing("x") };
  const program = runProgram({ act: { effect: "write" } }, { hooks });
  await expectPair(program, "failed Internal/HandlerThrew 1");
});
