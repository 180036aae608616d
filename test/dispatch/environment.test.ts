import { describe, expect, test } from "vitest";
import { ok } from "../../src/command/result.ts";
import { describeOutcome, runProgram } from "./running-program.ts";
import { type Handler, SESSION, type TestCommand } from "./test-program.ts";

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
