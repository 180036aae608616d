import { describe, expect, test } from "vitest";
import { EVALUATORS } from "../../../src/bench/evaluators/roster.ts";
import { longTest } from "../../support/tier.ts";
import { gradeBy, logWith } from "./grading.ts";

describe("a schema", () => {
  test.each([
    ["unknown words", { requierd: ["a"] }, 'unknown keyword: "requierd"'],
    ["another place", { $ref: "http://127.0.0.1:1/schema" }, "can't resolve reference"],
    ["nowhere", { $ref: "#/$defs/none" }, "can't resolve reference"],
    ["no type", { properties: { a: { type: "text" } } }, "schema is invalid"],
    ["no expression", { anyOf: [{}, { pattern: "(" }] }, "Invalid regular expression"],
    ["an unknown format", { format: "colour" }, 'unknown format "colour"'],
  ])("of %s is refused before it decides anything", (_, schema, problem) => {
    expect(EVALUATORS.find("json-schema")?.readOptions(schema)).toEqual({
      kind: "invalid",
      path: [],
      problem: expect.stringContaining(problem),
    });
  });

  test.each([
    ["newest", {}, { prefixItems: [{ type: "number" }], items: false }],
    [
      "seventh",
      { $schema: "http://json-schema.org/draft-07/schema#" },
      { items: [{ type: "number" }], additionalItems: false },
    ],
  ])("of the %s draft counts in full", async (_, head, rules) => {
    const schema = {
      ...head,
      type: "object",
      required: ["list"],
      properties: { list: rules, day: { type: "string", format: "date" } },
    };
    const statusOf = async (answer: object) =>
      (await gradeBy("json-schema", schema, { answer: JSON.stringify(answer) })).grade.status;
    expect(await statusOf({ list: [1] })).toBe("passed");
    expect(await statusOf({ list: [1, 2] })).toBe("failed");
    expect(await statusOf({ list: ["a"] })).toBe("failed");
    expect(await statusOf({ list: [], day: "2023-02-29" })).toBe("failed");
    expect(await statusOf({})).toBe("failed");
  });

  test("in a file that says nothing to be checked breaks the evaluator", async () => {
    const facts = { answer: "{}", suite: { "s.json": '{ "requierd": ["a"] }' } };
    await expect(gradeBy("json-schema", "s.json", facts)).rejects.toThrow('"requierd"');
  });

  test("is told where the answer does not fit", async () => {
    const schema = { properties: { list: { items: { type: "number" } } } };
    const { grade } = await gradeBy("json-schema", schema, { answer: '{"list":[1,"x"]}' });
    expect(grade).toMatchObject({ status: "failed", message: "`list.1` must be number" });
  });

  test("that goes in circles, or an answer without end, is no way to hang", async () => {
    const circle = await gradeBy("json-schema", { $ref: "#" }, { answer: "1" });
    expect(circle.grade.status).toBe("failed");
    const deep = { answer: `${"[".repeat(50_000)}${"]".repeat(50_000)}` };
    const { grade } = await gradeBy("json-schema", { items: { $ref: "#" } }, deep);
    expect(grade.status).toBe("failed");
  });

  test.each([
    ["the last word of several", ["let me look", '{"n":1}']],
    ["a block with any name", ['Here:\n```JSON\r\n{"n":1}\n```\nthat is it']],
    ["the last block of several", ['```\n{}\n```\n```json\n{"n":1}\n```']],
  ])("is held against %s", async (_, words) => {
    const messages = words.map((content) => ({ role: "assistant" as const, content }));
    const log = { ...logWith({}), messages };
    const { grade } = await gradeBy("json-schema", { required: ["n"] }, { log });
    expect(grade.status).toBe("passed");
  });
});

longTest("an expression that would search for ever is broken off, visibly", async () => {
  const answer = `${"a".repeat(60)}!`;
  await expect(gradeBy("regex", "^(a+)+$", { answer })).rejects.toThrow("it took longer than");
  const pattern = { pattern: "^(a+)+$" };
  await expect(gradeBy("json-schema", pattern, { answer: JSON.stringify(answer) })).rejects.toThrow(
    "it took longer than",
  );
});

test("an expression may say how it reads lines and letters", async () => {
  const { grade } = await gradeBy("regex", "(?im:^done$)", { answer: "well\nDONE\n" });
  expect(grade.status).toBe("passed");
});
