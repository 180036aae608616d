import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readMessage } from "../../../src/workflow/script/messages.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { sampled } from "../../support/tier.ts";
import { runBody } from "./run-body.ts";

const call = { kind: "call", id: 1, what: "agent", path: "", phase: null, data: {} };

test.each([
  ["no JSON", "hello"],
  ["no object", "[1]"],
  ["null", "null"],
  ["no kind", "{}"],
  ["an unknown kind", '{"kind":"toString"}'],
  ["a prototype for a kind", '{"__proto__":{"kind":"pong"}}'],
  ["a call without a number", JSON.stringify({ ...call, id: "1" })],
  ["a call with half a number", JSON.stringify({ ...call, id: 1.5 })],
  ["a call with a negative number", JSON.stringify({ ...call, id: -1 })],
  ["a call for something else", JSON.stringify({ ...call, what: "shell" })],
  ["a call for what objects have", JSON.stringify({ ...call, what: "constructor" })],
  ["a call with no data", JSON.stringify({ ...call, data: null })],
  ["a path that is none", JSON.stringify({ ...call, path: "../../etc" })],
  ["a path that goes on", JSON.stringify({ ...call, path: "parallel#0/1/" })],
  [
    "a path without end",
    JSON.stringify({ ...call, path: "parallel#0/1".padEnd(3_000, "/parallel#0/1") }),
  ],
  ["a line of the log that is no text", '{"kind":"log","text":5}'],
  ["a result without its problems", '{"kind":"returned","value":1}'],
  ["an error without a name", '{"kind":"threw","message":"x","stack":""}'],
])("%s is no message", (_, line) => {
  expect(readMessage(line)).toBeNull();
});

test.each([
  ["", "parallel#0/3", "pipeline#12/0/1", "workflow#0", "parallel#0/3/pipeline#0/7/1/workflow#2"],
])("paths are read", (...paths) => {
  for (const path of paths)
    expect(readMessage(JSON.stringify({ ...call, path }))).toMatchObject({ path });
});

/** A program in the place of the script's process. */
async function runForged(program: string) {
  const folder = temporaryFolder();
  writeFiles(folder, { "entry.mjs": program });
  return runBody("return 1", { entry: join(folder, "entry.mjs"), limits: { syncMs: 2_000 } });
}

const say = (...lines: readonly string[]): string =>
  `${lines.map((line) => `process.stdout.write(${line} + "\\n");`).join("")} process.stdin.on("data", () => {});`;
const said = (id: number) => JSON.stringify(JSON.stringify({ ...call, id, data: { prompt: "x" } }));

describe("a process that says something else is ended", () => {
  test.each(
    sampled([
      ["no message", say('"rubbish"'), "protocol", /no message: rubbish$/],
      ["numbers out of order", say(said(2), said(2)), "protocol", /call 2 came out of order/],
      [
        "a line without end",
        `setInterval(() => process.stdout.write("x".repeat(1e6)), 1)`,
        "protocol",
        /in one line/,
      ],
      [
        "binary rubbish",
        "process.stdout.write(Buffer.from([0, 255, 10]))",
        "protocol",
        /no message/,
      ],
      ["nothing, and leaves", "", "died", /ended with 0$/],
      ["a crash", "throw new Error('broken')", "died", /ended with 1/],
      ["a crash by signal", "process.abort()", "died", /SIGABRT/],
    ]),
  )("%s", async (_, program, cause, message) => {
    const { ending } = await runForged(program);
    expect(ending).toEqual({ kind: "hung", cause, message: expect.stringMatching(message) });
  });

  test("and one that cannot be found is said", async () => {
    await expect(runBody("return 1", { entry: "/nowhere/entry.mjs" })).rejects.toThrow("ENOENT");
  });
});

test("what is said after the end counts for nothing", async () => {
  const end = '\'{"kind":"returned","problems":[],"value":"first"}\'';
  const { ending, requests } = await runForged(say(end, said(5), '"rubbish"', end));
  expect(ending).toEqual({ kind: "returned", value: "first", problems: [] });
  expect(requests).toEqual([]);
});

test("a failure of the engine itself is not the script's", async () => {
  const failing = runBody('try { await agent("x") } catch {} return 1', {
    answer: () => {
      throw new Error("the journal is broken");
    },
  });
  await expect(failing).rejects.toThrow("the journal is broken");
});
