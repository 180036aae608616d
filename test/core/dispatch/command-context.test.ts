import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import type { CommandContext } from "../../../src/core/command/context.ts";
import type { Request } from "../../../src/core/command/request.ts";
import { ok } from "../../../src/core/command/result.ts";
import { createAdjutant } from "../../../src/program.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { describeOutcome, runProgram } from "./running-program.ts";
import { type Handler, SESSION, type Sending, type TestCommand } from "./test-program.ts";

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

  test("names the project from any folder of it, and the folder where there is none", async () => {
    const folder = realpathSync(temporaryFolder("adj-root-"));
    writeFiles(folder, {
      "project/.git/HEAD": "ref: refs/heads/main\n",
      "project/src/deep/x": "",
      "alone/x": "",
      "config/commands/where.js":
        'export default { description: "Where", run: (_, { root }) => ({ success: true, exitCode: 0, output: root, errorOutput: null, metadata: null }) };\n',
    });
    const rootFrom = async (cwd: string) => {
      const env = {
        HOME: folder,
        ADJ_STATE_DIR: join(folder, "state"),
        ADJ_CONFIG_DIR: join(folder, "config"),
      };
      const adjutant = await createAdjutant({ cwd: join(folder, cwd), env });
      onTestFinished(() => adjutant.close());
      return (await adjutant.dispatch({ name: "where" })).result.output;
    };
    expect(await rootFrom("project/src/deep")).toBe(join(folder, "project"));
    expect(await rootFrom("alone")).toBe(join(folder, "alone"));
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

const ENV = { TOKEN: "t0ken", OTHER: "other", PATH: "/bin", length: "7" };

/** Puts out the value of `TOKEN`, or of the variable given. */
const show =
  (name = "TOKEN"): Handler =>
  (_, { env }) =>
    ok(String(env.get(name)));

describe("the environment of a command", () => {
  test.each<[what: string, declared: TestCommand, output: string]>([
    ["gives a declared name", { env: ["TOKEN"] }, "t0ken"],
    [
      "gives nothing for a declared name that is not set",
      { env: ["UNSET"], run: show("UNSET") },
      "undefined",
    ],
    ["gives the value that the definition sets", { env: { TOKEN: "set" } }, "set"],
    ["gives any name to one that inherits all", { inheritEnv: true }, "t0ken"],
    [
      "prefers the definition's value also then",
      { inheritEnv: true, env: { TOKEN: "set" } },
      "set",
    ],
    [
      "takes a name like a list's own for a name",
      { env: { length: "9" }, run: show("length") },
      "9",
    ],
    [
      "has no names but its own",
      { inheritEnv: true, env: { A: "a" }, run: show("hasOwnProperty") },
      "undefined",
    ],
  ])("%s", async (_, declared, output) => {
    const program = runProgram({ act: { run: show(), ...declared } });
    const { result } = await program.send("act", { env: Object.assign(Object.create(null), ENV) });
    expect(result.output).toBe(output);
  });

  test.each<[what: string, declared: TestCommand]>([
    ["an undeclared name", {}],
    ["another than the declared", { env: ["OTHER"] }],
    ["a name that is not in the map", { env: { OTHER: "x" } }],
    ["a name that every object has", { env: { OTHER: "x" }, run: show("constructor") }],
  ])("refuses %s", async (_, declared) => {
    const program = runProgram({ act: { run: show(), ...declared } });
    const outcome = await program.send("act", { env: ENV });
    expect(describeOutcome(outcome)).toBe("rejected Usage/EnvUndeclared 2");
    expect(outcome.error?.hint).toMatch(/^add `env: \["\w+"\]` to the command$/);
  });

  test("for a child holds the base set, what is declared, and whose child it is", async () => {
    const given: Record<string, string>[] = [];
    const run: Handler = (_, { env }) => ok(String(given.push(env.forChild())));
    const program = runProgram({
      list: { env: ["TOKEN"], run },
      map: { env: { TOKEN: "set" }, run },
      none: { run },
    });
    const correlationId = "c-1";
    for (const name of ["list", "map", "none"])
      await program.send(name, { env: ENV, correlationId });
    const base = { PATH: "/bin", ADJ_SESSION_ID: SESSION, ADJ_CORRELATION_ID: correlationId };
    expect(given).toEqual([{ ...base, TOKEN: "t0ken" }, { ...base, TOKEN: "set" }, base]);
  });
});
