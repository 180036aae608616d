import { describe, expect, test } from "vitest";
import { checkJson } from "../../src/bench/evaluators/json-schema/check-json.ts";
import { findSchemaProblem } from "../../src/bench/evaluators/json-schema/schema-problem.ts";
import { EVALUATORS } from "../../src/bench/evaluators/roster.ts";
import { gradeBy, logWith } from "./grading.ts";

const TREE = {
  $ref: "#/$defs/node",
  $defs: {
    node: { type: "object", required: ["v"], properties: { next: { $ref: "#/$defs/node" } } },
  },
};

const BRANCHES = JSON.parse(
  '{ "if": { "type": "string" }, "then": { "minLength": 2 }, "else": { "minimum": 2 } }',
);

describe("a schema", () => {
  test.each<[object | boolean, unknown[], unknown[]]>([
    [true, [1, null], []],
    [false, [], [1, null]],
    [{}, [1, null], []],
    [{ type: "integer" }, [1, 1.0, -3], [1.5, "1", null]],
    [{ type: ["string", "null"] }, ["", null], [0, [], {}]],
    [{ type: "object" }, [{}], [[], null]],
    [{ const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }, { a: [1], b: 1 }, null]],
    [{ enum: [1, null, { a: 1 }] }, [1, null, { a: 1 }], [2, {}]],
    [{ minimum: 3, exclusiveMaximum: 5 }, [3, 4.9, "x"], [2.9, 5]],
    [{ maximum: 3, exclusiveMinimum: 1 }, [3, 2], [1, 3.1]],
    [{ multipleOf: 0.1 }, [0.3, 1.1, 0], [0.35]],
    [{ minLength: 2, maxLength: 3 }, ["ab", "\u{1f600}\u{1f600}", 5], ["a", "abcd", "\u{1f600}"]],
    [{ pattern: "^a" }, ["ab", 1], ["ba"]],
    [{ required: ["a"] }, [{ a: null }, 5, []], [{}, { b: 1 }, { toString: 1 }]],
    [{ required: ["toString"] }, [{ toString: 1 }], [{}]],
    [{ properties: { a: { type: "string" } } }, [{}, { a: "" }, 5, { b: 1 }], [{ a: 1 }]],
    [{ properties: { a: true }, additionalProperties: false }, [{ a: 1 }, {}], [{ b: 1 }]],
    [{ additionalProperties: { type: "number" } }, [{ x: 1 }], [{ x: "" }]],
    [
      { patternProperties: { "^x": { type: "number" } }, additionalProperties: false },
      [{ x1: 1 }],
      [{ x1: "" }, { y: 1 }],
    ],
    [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
    [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }, []], [{}, { a: 1, b: 1 }]],
    [{ dependentRequired: { a: ["b"] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
    [{ dependentSchemas: { a: { required: ["b"] } } }, [{}], [{ a: 1 }]],
    [{ items: { type: "number" } }, [[], [1], {}], [["a"], [1, "a"]]],
    [{ prefixItems: [{ type: "number" }], items: false }, [[], [1]], [["a"], [1, 2]]],
    [{ items: [{ type: "number" }], additionalItems: false }, [[1]], [["a"], [1, 2]]],
    [{ minItems: 1, maxItems: 2 }, [[1], {}], [[], [1, 2, 3]]],
    [
      { uniqueItems: true },
      [
        [1, "1"],
        [[], {}],
      ],
      [
        [1, 1],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    [{ contains: { type: "number" } }, [["a", 1]], [["a"], []]],
    [{ contains: { type: "number" }, minContains: 2, maxContains: 2 }, [[1, 2]], [[1], [1, 2, 3]]],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
    [{ anyOf: [{ type: "string" }, { minimum: 3 }] }, ["", 3], [2]],
    [{ oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 1]],
    [{ not: { type: "string" } }, [1], ["x"]],
    [BRANCHES, ["ab", 2], ["a", 1]],
    [TREE, [{ v: 1 }, { v: 1, next: { v: 2 } }], [{}, { v: 1, next: {} }, 5]],
    [{ $ref: "#/$defs/a~1b%25", $defs: { "a/b%": { type: "null" } } }, [null], [1]],
    [{ format: "date" }, ["2024-02-29", 5], ["2023-02-29", "x"]],
    [{ format: "date-time" }, ["2024-02-29T12:00:00Z"], ["2024-02-29", "2024-02-29T25:00:00Z"]],
    [{ format: "email" }, ["a@b.co"], ["a@b", "a b@c.de"]],
  ])("%j takes what fits and nothing else", (schema, fitting, others) => {
    expect(findSchemaProblem(schema)).toBeNull();
    for (const value of fitting) expect(checkJson(schema, value), JSON.stringify(value)).toBeNull();
    for (const value of others)
      expect(checkJson(schema, value), JSON.stringify(value)).not.toBeNull();
  });

  test.each([
    [{ $ref: "http://127.0.0.1:1/schema" }, ["$ref"], "nothing is fetched"],
    [{ $ref: "#/$defs/none" }, ["$ref"], "is not in the schema"],
    [{ requierd: ["a"] }, ["requierd"], "did you mean `required`?"],
    [{ properties: { a: { type: "text" } } }, ["properties", "a", "type"], "a type of JSON"],
    [{ anyOf: [{}, { pattern: "(" }] }, ["anyOf", "1", "pattern"], "not a regular expression"],
    [{ unevaluatedProperties: false }, ["unevaluatedProperties"], "no keyword that is checked"],
    [{ format: "hostname" }, ["format"], "is not checked"],
    [{ minLength: -1 }, ["minLength"], "whole number"],
    [{ required: "a" }, ["required"], "list of names"],
    [{ constructor: 1 }, ["constructor"], "no keyword"],
  ])("%j is refused before it decides anything", (schema, path, problem) => {
    expect(EVALUATORS.find("json-schema")?.readOptions(schema)).toEqual({
      kind: "invalid",
      path,
      problem: expect.stringContaining(problem),
    });
  });

  test("in a file that says nothing to be checked breaks the evaluator", async () => {
    const facts = { answer: "{}", suite: { "s.json": '{ "requierd": ["a"] }' } };
    await expect(gradeBy("json-schema", "s.json", facts)).rejects.toThrow(
      "did you mean `required`",
    );
  });

  test("is told where the answer does not fit", async () => {
    const schema = { properties: { list: { items: { type: "number" } } } };
    const { grade } = await gradeBy("json-schema", schema, { answer: '{"list":[1,"x"]}' });
    expect(grade).toMatchObject({ status: "failed", message: "`list.1` must be of type number" });
  });

  test("that goes in circles, or an answer without end, is no way to hang", async () => {
    expect(checkJson({ $ref: "#" }, 1)).not.toBeNull();
    const deep = { answer: `${"[".repeat(5_000)}${"]".repeat(5_000)}` };
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

test("an expression that would search for ever is broken off, visibly", async () => {
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
