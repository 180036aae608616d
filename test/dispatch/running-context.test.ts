import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { CommandContext } from "../../src/command/context.ts";
import { ok } from "../../src/command/result.ts";
import type { Request } from "../../src/dispatch/request.ts";
import { runProgram } from "./running-program.ts";
import { SESSION, type Sending, type TestCommand } from "./test-program.ts";

async function capture(
  command: string | Request["command"],
  { sending = {}, act = {} }: { sending?: Sending; act?: TestCommand } = {},
): Promise<{ args: unknown; context: CommandContext }> {
  const captured = Promise.withResolvers<{ args: unknown; context: CommandContext }>();
  const program = runProgram({
    act: {
      ...act,
      run: (args, context) => {
        captured.resolve({ args, context });
        return ok();
      },
    },
  });
  const outcome = await program.send(command, sending);
  if (outcome.kind !== "ok") throw new Error(outcome.error?.message);
  return captured.promise;
}

describe("the context of a running command", () => {
  test("says who asks, where, and under which correlation, and cannot be changed", async () => {
    const sending = { surface: "web", correlationId: "c-1" } as const;
    const { context } = await capture("act x", { sending });
    expect(context).toMatchObject({
      mode: "web",
      rawCommand: "act x",
      isInteractive: false,
      isBelowAgent: false,
      correlationId: "c-1",
      session: { id: SESSION },
    });
    expect(context.workingDirectory).toMatch(/^\//);
    expect(Object.isFrozen(context)).toBe(true);
  });

  test.each<[surface: NonNullable<Sending["surface"]>, given: boolean, is: boolean]>([
    ["cli", true, true],
    ["console", true, true],
    ["cli", false, false],
    ["web", true, false],
    ["hook", true, false],
    ["mcp", true, false],
    ["library", true, false],
    ["bench", true, false],
  ])("is interactive in %s with a terminal %s: %s", async (surface, isInteractive, is) => {
    const { context } = await capture("act", { sending: { surface, isInteractive } });
    expect(context.isInteractive).toBe(is);
  });

  test("passes output and progress on as they come, bytes unchanged", async () => {
    const shown: unknown[] = [];
    const program = runProgram({
      act: {
        run: async (_, { write, progress }) => {
          await write("té");
          await write(new Uint8Array([0xff, 0x00]), "stderr");
          progress(0.5);
          progress("half");
          return ok("té");
        },
      },
    });
    await program.send("act", {
      onOutput: (chunk, channel) => void shown.push([...chunk, channel]),
      onProgress: (step) => void shown.push(step),
    });
    expect(shown).toEqual([[0x74, 0xc3, 0xa9, "stdout"], [0xff, 0x00, "stderr"], 0.5, "half"]);
    expect((await program.send("act")).kind).toBe("ok");
  });
});

describe("the arguments of a running command", () => {
  const schema = z.object({ to: z.string().meta({ positional: 0 }), n: z.number().default(1) });
  const parseArgs = (line: string) => ({ line });

  test.each<[what: string, command: string | Request["command"], act: TestCommand, args: unknown]>([
    ["a line by default", "act list --base=main -x", {}, { _: ["list", "-x"], base: "main" }],
    ["words by default", { name: "act", args: ["a b"] }, {}, { _: ["a b"] }],
    ["an object's words", { name: "act", args: { args: ["a", "--b"] } }, {}, { _: ["a"], b: true }],
    ["an empty object", { name: "act", args: {} }, {}, { _: [] }],
    ["a line by schema", "act prod --n 5", { args: schema }, { to: "prod", n: 5 }],
    [
      "an object by schema",
      { name: "act", args: { to: "x" } },
      { args: schema },
      { to: "x", n: 1 },
    ],
    ["a line by its own parser", `  act 'a  b' c`, { parseArgs }, { line: "act 'a  b' c" }],
    [
      "words by its own parser",
      { name: "act", args: ["a  b", "it's"] },
      { parseArgs },
      { line: `act 'a  b' 'it'\\''s'` },
    ],
    [
      "an object's words by its own parser",
      { name: "act", args: { args: ["a b"] } },
      { parseArgs },
      { line: "act 'a b'" },
    ],
    ["an alias and a line", "a x", { aliases: ["a"], parseArgs }, { line: "a x" }],
  ])("%s", async (_, command, act, expected) => {
    const { args } = await capture(command, { act });
    expect(Object.assign({}, args)).toEqual(expected);
  });

  test.each<[args: Record<string, unknown>]>([
    [{ args: "not a list" }],
    [{ args: [1] }],
    [{ args: [], more: 1 }],
    [{ other: ["a"] }],
  ])("without a schema %j is no list of words", async (args) => {
    const program = runProgram({ act: {} });
    const outcome = await program.send({ name: "act", args });
    expect(outcome.error).toMatchObject({ class: "Usage", code: "ArgumentsInvalid" });
    expect(outcome.error?.message).toBe("`act`: expected `args`, a list of words");
  });

  test("a message of the command's own parser reaches the person", async () => {
    const program = runProgram({
      act: {
        parseArgs: () => {
          throw new Error("expected a date, like 2026-11-15");
        },
      },
    });
    const { result } = await program.send("act x");
    expect(result).toMatchObject({
      exitCode: 2,
      errorOutput: "`act`: expected a date, like 2026-11-15",
    });
  });
});
