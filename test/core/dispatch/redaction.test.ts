import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Interactor } from "../../../src/core/command/request.ts";
import { fail, ok } from "../../../src/core/command/result.ts";
import type { CommandHooks } from "../../../src/core/dispatch/dispatch-context.ts";
import { runProgram } from "./running-program.ts";
import type { Handler, Sending, TestCommand, TestProgram } from "./test-program.ts";

/** In which files of the state folder the text stands, the write-ahead logs among them. */
function filesWith(program: TestProgram, text: string): string[] {
  const files = readdirSync(program.stateDir);
  expect(files).toEqual(expect.arrayContaining(["audit.db-wal", "state.db-wal"]));
  return files.filter((file) => readFileSync(join(program.stateDir, file)).includes(text));
}

const SECRET = "Zq7-hunter2-secret";
const KEY = `sk-ant-api03-${"a1B2c3D4".repeat(5)}`;

const SCHEMA = z.object({
  target: z.string().optional().meta({ positional: 0, plain: true }),
  token: z.string().optional(),
  both: z.string().optional().meta({ plain: true, secret: true }),
  deep: z.object({ inside: z.array(z.string()) }).optional(),
  address: z
    .string()
    .optional()
    .transform((text) => (text ? new URL(text) : undefined)),
});

const log =
  (text: (context: Parameters<Handler>[1], args: unknown) => unknown): Handler =>
  (args, context) => {
    context.log(`it was ${String(text(context, args))}, and the rest stays`);
    return ok();
  };
const person: Interactor = {
  name: "terminal",
  confirm: async () => true,
  select: async () => SECRET,
  input: async () => SECRET,
};

interface Case extends TestCommand {
  readonly command?: Parameters<TestProgram["send"]>[0];
  readonly sending?: Sending;
}
const words = (...args: string[]) => ({ name: "act", args });

const CASES: Readonly<Record<string, Case>> = {
  "a flag": { args: SCHEMA, command: words(`--token=${SECRET}`) },
  "a flag marked both ways": { args: SCHEMA, command: words(`--both=${SECRET}`) },
  "a word without a schema": { command: words(SECRET, `--password=${SECRET}`) },
  "a line for a parser of its own": { parseArgs: (line) => line, command: `act '${SECRET}'` },
  "a list inside an object": {
    args: SCHEMA,
    command: { name: "act", args: { deep: { inside: [SECRET] } } },
  },
  "a key that the schema does not know": {
    args: SCHEMA,
    command: { name: "act", args: { [SECRET]: 1 } },
  },
  "an unknown flag": { args: SCHEMA, command: words(`--tokem=${SECRET}`) },
  "a word too many": { args: SCHEMA, command: words("a", SECRET) },
  "a URL in a plain argument": { args: SCHEMA, command: words(`https://ann:${SECRET}@host/`) },
  "an argument in a log line": {
    args: SCHEMA,
    command: words(`--token=${SECRET}`),
    run: log((_, args) => JSON.stringify(args)),
  },
  "an argument in a log line, in pieces of a line": {
    command: `act "Zq7-"'hunter2'-secret`,
    run: log(({ rawCommand }) => rawCommand.replaceAll(/["']/g, "")),
  },
  "the quoted line in a log line": {
    command: words("it's", SECRET.replaceAll("-", "'")),
    run: log(({ rawCommand }) => `${rawCommand} ${SECRET.length}`),
  },
  "an argument that the schema turned into something else": {
    args: SCHEMA,
    command: words(`--address=https://host/${SECRET}`),
    run: log((_, args) => Object(args).address),
  },
  "a declared variable in a log line": {
    env: ["TOKEN"],
    sending: { env: { TOKEN: SECRET } },
    run: log(({ env }) => env.get("TOKEN")),
  },
  "a variable that the definition sets": {
    env: { TOKEN: SECRET },
    run: log(({ env }) => env.forChild().TOKEN),
  },
  "an inherited variable": {
    inheritEnv: true,
    sending: { env: { TOKEN: SECRET } },
    run: log(({ env }) => env.get("TOKEN")),
  },
  "an inherited variable of a child": {
    inheritEnv: true,
    sending: { env: { TOKEN: SECRET } },
    run: log(({ env }) => env.forChild().TOKEN),
  },
  "a vendor's key in a log line": { run: log(() => KEY) },
  output: { run: () => ok(SECRET, { SECRET }) },
  "error output": { run: () => fail(`${SECRET} ${KEY}`) },
  "a thrown error": { run: () => Promise.reject(new Error(SECRET)) },
  "a parser's error": { parseArgs: () => JSON.parse(SECRET), command: "act x" },
  "a question": {
    command: words(SECRET),
    sending: { interactors: [person] },
    run: async (_, { ask }) => ok(await ask.select(`use ${SECRET}?`, [SECRET])),
  },
  "an answer": {
    sending: { interactors: [person] },
    run: async (_, { ask }) => ok(await ask.input("password?", { secret: true })),
  },
  consent: {
    command: `act --token="it's"'${SECRET}'`,
    safety: "destructive",
    sending: { interactors: [person] },
  },
  "a param kept as a reference": {
    effect: "write",
    env: ["TOKEN"],
    sending: { env: { TOKEN: SECRET } },
    run: async (_, { session, env }) => {
      const params = { key: "env:TOKEN" };
      await session.update((state) => ({ ...state, params }));
      return ok(String(env.get("TOKEN")));
    },
  },
  "an unknown name": { command: KEY },
  "a nested command's arguments": {
    run: async (_, { dispatch }) => (await dispatch({ name: "inner", args: [SECRET, KEY] })).result,
  },
};

describe("no file of the state folder holds a secret given as", () => {
  test.each(Object.entries(CASES))("%s", async (_, { command = "act", sending = {}, ...act }) => {
    const program = runProgram({
      act,
      inner: {},
      mark: { effect: "write", run: log(() => "a mark") },
    });
    await program.send("mark", { env: { OTHER: "x" } });
    await program.send(command, sending);
    expect(filesWith(program, "it was a mark, and the rest stays")).not.toEqual([]);
    const hidden = [SECRET, SECRET.slice(4, 11), KEY, KEY.slice(13, 40)];
    expect(hidden.filter((text) => filesWith(program, text).length > 0)).toEqual([]);
  });
});

test("what hooks say and what listeners throw is not in the record either", async () => {
  const hooks: CommandHooks = {
    before: async ({ line }) =>
      line === "veto" ? { kind: "veto", reason: SECRET } : { kind: "proceed", args: { t: SECRET } },
    after: async () => [SECRET],
  };
  const program = runProgram(
    { veto: {}, act: { effect: "write", run: log((_, args) => JSON.stringify(args)) } },
    { hooks },
  );
  program.dispatcher.events.subscribe(({ type }) => {
    if (type === "CommandResulted") throw new Error(SECRET);
  });
  await program.send("veto");
  await program.send("act");
  expect(program.events("Diagnostic")[0]?.data.message).toContain("and the rest stays");
  expect(filesWith(program, SECRET)).toEqual([]);
});

test("arguments enter the record as shapes, plain ones as they are", async () => {
  const program = runProgram({ act: { args: SCHEMA }, bare: {} });
  await program.send("act prod --token=hunter2");
  await program.send("act prod extra hunter2");
  await program.send({ name: "act", args: { target: "prod", deep: { inside: [] } } });
  await program.send("bare list --x=hunter2");
  await program.send({ name: "bare", args: { args: ["list"] } });
  expect(program.events("CommandDispatched").map(({ data }) => data.args)).toEqual([
    { target: "prod", token: "string(7)" },
    ["string(4)", "string(5)", "string(7)"],
    { target: "prod", deep: "object(1)" },
    ["string(4)", "string(11)"],
    "object(1)",
  ]);
});

test("what the caller gets is never masked", async () => {
  const run: Handler = (args) => fail(`${JSON.stringify(args)} ${KEY}`);
  const { result } = await runProgram({ act: { run } }).send(`act ${SECRET}`);
  expect(result.errorOutput).toContain(SECRET);
  expect(result.errorOutput).toContain(KEY);
});
