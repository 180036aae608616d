import { describe, expect, test } from "vitest";
import { EVALUATORS } from "../../../src/bench/evaluators/roster.ts";
import { type Facts, gradeBy, logWith } from "./grading.ts";

describe("what the agent said", () => {
  test.each([
    ["contains", "done", "it is done", "passed", 1],
    ["contains", ["a", "b"], "only a", "failed", 0.5],
    ["regex", "^\\d+ files$", "12 files", "passed", 1],
    ["regex", "^\\d+ files$", "some files", "failed", 0],
    ["json-schema", { type: "object", required: ["n"] }, '{"n":1}', "passed", 1],
    [
      "json-schema",
      { type: "object", required: ["n"] },
      'Here:\n```json\n{"n":1}\n```',
      "passed",
      1,
    ],
    ["json-schema", { type: "object", required: ["n"] }, "{}", "failed", 0],
    ["json-schema", { type: "object" }, "no JSON", "failed", 0],
  ])("%s %j of %j is %s", async (type, options, answer, status, score) => {
    expect((await gradeBy(type, options, { answer })).grade).toMatchObject({ status, score });
  });

  test("a schema may lie in a file of the suite", async () => {
    const suite = { "answer.json": '{ "type": "array" }' };
    const { grade } = await gradeBy("json-schema", "answer.json", { answer: "[1]", suite });
    expect(grade.status).toBe("passed");
  });
});

describe("what the agent spent", () => {
  const usage = { ...logWith({}).usage, total_tokens: 500 };
  test.each([
    ["cost", 0.5, { cost: { usd: 0.4, source: "output" } }, "passed"],
    ["cost", 0.3, { cost: { usd: 0.4, source: "output" } }, "failed"],
    ["cost", 0.3, { cost: null }, "skipped"],
    ["tokens", 500, { usage }, "passed"],
    ["tokens", 499, { usage }, "failed"],
    ["tokens", 499, {}, "skipped"],
    ["turns", 3, { turns: 4 }, "failed"],
    ["time", "2s", {}, "passed"],
    ["time", "999ms", {}, "failed"],
  ] as const)("%s at most %s of %j is %s", async (type, limit, log, status) => {
    const facts: Facts = { log };
    expect((await gradeBy(type, limit, facts)).grade.status).toBe(status);
  });
});

describe("the tools it called", () => {
  const calls = [
    { name: "Bash", kind: "shell" },
    { name: "Bash", kind: "shell" },
    { name: "Edit", kind: "edit" },
  ] as const;
  test.each([
    [{ require: ["Edit"], forbid: ["WebFetch"], at_most: { Bash: 2 } }, "passed", "3 calls"],
    [{ require: ["fetch"] }, "failed", "`fetch` was not called"],
    [{ forbid: ["shell"] }, "failed", "`shell` was called"],
    [{ at_most: { shell: 1 } }, "failed", "`shell` was called more than 1 times"],
    [{ at_most: 2 }, "failed", "3 calls, at most 2"],
  ])("%j is %s", async (options, status, message) => {
    expect((await gradeBy("tools", options, { calls })).grade).toMatchObject({ status, message });
  });

  test("are not known of a program that only prints, which is not none", async () => {
    const log = { agent_info: { name: "command", version: "1", adapter_version: "1.0.0" } };
    const { grade } = await gradeBy("tools", { forbid: ["shell"] }, { log });
    expect(grade).toMatchObject({ status: "skipped", score: null });
    const none = await gradeBy("tools", { require: ["shell"] });
    expect(none.grade.status).toBe("failed");
  });
});

test("options of the wrong kind are refused with their place", () => {
  const read = (type: string, raw: unknown) => EVALUATORS.find(type)?.readOptions(raw);
  expect(read("diff", { max_files: 2 })).toEqual({
    kind: "invalid",
    path: ["max_files"],
    problem: expect.stringContaining("unknown key `max_files`"),
  });
  expect(read("regex", "(")).toEqual({
    kind: "invalid",
    path: [],
    problem: "the value is not a regular expression",
  });
  expect(read("run", {})).toMatchObject({ kind: "invalid" });
});
