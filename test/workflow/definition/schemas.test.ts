import { describe, expect, test } from "vitest";
import { readAnswerSchema } from "../../../src/agents/log/json-answer.ts";
import { readOutput } from "../../../src/workflow/definition/output-shape.ts";
import {
  findContradiction,
  findSchemaProblem,
} from "../../../src/workflow/definition/schema-check.ts";
import type { JsonSchema } from "../../../src/workflow/definition/workflow.ts";

const object = (rest: JsonSchema): JsonSchema => ({ type: "object", ...rest });

describe("a schema", () => {
  test.each<[string, JsonSchema, string]>([
    [
      "a required key that is excluded",
      object({ required: ["a"], properties: { b: {} }, additionalProperties: false }),
      "the schema requires `a`, which `additionalProperties: false` excludes",
    ],
    [
      "the same further in",
      object({
        required: ["list"],
        properties: {
          list: {
            type: "array",
            minItems: 1,
            items: object({ required: ["x"], additionalProperties: false }),
          },
        },
      }),
      "an entry of `list` requires `x`, which `additionalProperties: false` excludes",
    ],
    [
      "an empty enum",
      object({ required: ["a"], properties: { a: { enum: [] } } }),
      "`a` has an empty `enum`",
    ],
    [
      "an enum of another type",
      object({ required: ["a"], properties: { a: { type: "string", enum: [1, 2] } } }),
      "`a` has no value in `enum` that is `string`",
    ],
    [
      "a const of another type",
      object({ required: ["a"], properties: { a: { type: "integer", const: 1.5 } } }),
      "`a` has a `const` that is not `integer`",
    ],
    [
      "a const outside its enum",
      object({ required: ["a"], properties: { a: { const: "x", enum: ["y"] } } }),
      "`a` has a `const` that is not in its `enum`",
    ],
    [
      "bounds the wrong way",
      object({ required: ["a"], properties: { a: { type: "number", minimum: 5, maximum: 1 } } }),
      "`a` has `minimum` 5 above `maximum` 1",
    ],
    [
      "lengths the wrong way",
      object({
        required: ["a"],
        properties: { a: { type: "string", minLength: 5, maxLength: 1 } },
      }),
      "`a` has `minLength` 5 above `maxLength` 1",
    ],
    [
      "lists the wrong way",
      object({ required: ["a"], properties: { a: { type: "array", minItems: 2, maxItems: 1 } } }),
      "`a` has `minItems` 2 above `maxItems` 1",
    ],
    [
      "too many keys",
      object({ required: ["a", "b"], maxProperties: 1 }),
      "the schema requires 2 keys with `maxProperties` 1",
    ],
    [
      "a type that is none",
      object({ required: ["a"], properties: { a: { type: "text" } } }),
      "`a` has the type `text`, which JSON has not",
    ],
    [
      "types that exclude each other",
      object({
        required: ["a"],
        properties: { a: { allOf: [{ type: "string" }, { type: "number" }] } },
      }),
      "`a` wants types at once that exclude each other",
    ],
    ["nothing at all", object({ required: ["a"], properties: { a: false } }), "`a` allows nothing"],
    [
      "no branch that can be",
      object({ required: ["a"], properties: { a: { anyOf: [{ enum: [] }, false] } } }),
      "`a` has an empty `enum`",
    ],
    [
      "a key of a key",
      object({
        required: ["a"],
        properties: { a: object({ required: ["b"], properties: { b: { enum: [] } } }) },
      }),
      "`a.b` has an empty `enum`",
    ],
  ])("with %s is refused", (_, schema, problem) => {
    expect(findContradiction(schema)).toBe(problem);
  });

  test.each<[string, JsonSchema]>([
    ["nothing in it", {}],
    [
      "a key by a pattern",
      object({ required: ["x-a"], patternProperties: { "^x-": {} }, additionalProperties: false }),
    ],
    ["a part that may be left out", object({ properties: { a: { enum: [] } } })],
    [
      "a list that may be empty",
      object({ required: ["a"], properties: { a: { type: "array", items: false } } }),
    ],
    [
      "one branch that can be",
      object({ required: ["a"], properties: { a: { oneOf: [{ enum: [] }, { type: "string" }] } } }),
    ],
    [
      "a whole number that is a number",
      object({
        required: ["a"],
        properties: { a: { allOf: [{ type: "integer" }, { type: "number" }] } },
      }),
    ],
    [
      "another type to choose",
      object({
        required: ["a"],
        properties: { a: { type: ["string", "null"], minLength: 2, maxLength: 1 } },
      }),
    ],
    [
      "a key called like an inherited one",
      object({
        required: ["constructor"],
        properties: { constructor: { type: "string" } },
        additionalProperties: false,
      }),
    ],
  ])("with %s is fine", (_, schema) => {
    expect(findContradiction(schema)).toBeNull();
  });

  test("of an answer has an object at its root", () => {
    expect(findSchemaProblem({ type: "array" })).toBe(
      'the schema must have `type: "object"` at its root',
    );
    expect(findSchemaProblem({ properties: {} })).toBe(
      'the schema must have `type: "object"` at its root',
    );
    expect(findSchemaProblem([])).toBe("a schema is an object");
    expect(findSchemaProblem({ type: "object" })).toBeNull();
  });
});

describe("a shape", () => {
  test("asks for what it says", () => {
    const reading = readOutput({
      verdict: "pass|fail",
      "note?": "string",
      points: ["integer"],
      where: { file: "string", line: "integer|null" },
      type: "string",
    });
    if (reading.kind === "wrong") throw new Error(reading.problem);
    const schema = readAnswerSchema(reading.schema);
    if (schema.kind === "invalid") throw new Error(schema.problem);
    const answer = { verdict: "pass", points: [1], where: { file: "a", line: null }, type: "bug" };
    expect(schema.check(answer)).toBeNull();
    expect(schema.check({ ...answer, note: "n" })).toBeNull();
    expect(schema.check({ ...answer, verdict: "maybe" })).not.toBeNull();
    expect(schema.check({ ...answer, points: [1.5] })).not.toBeNull();
    expect(schema.check({ ...answer, more: 1 })).not.toBeNull();
    const { verdict: _, ...without } = answer;
    expect(schema.check(without)).not.toBeNull();
  });

  test("with an object's type at its root is a schema already", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    expect(readOutput(schema)).toEqual({ kind: "schema", schema });
  });

  test.each<[string, unknown, (string | number)[]]>([
    ["a list of two", { a: ["string", "number"] }, ["a"]],
    ["an empty list", { a: [] }, ["a"]],
    ["an empty map", { a: {} }, ["a"]],
    ["a number", { a: 5 }, ["a"]],
    ["types and texts", { a: { b: ["string|high"] } }, ["a", "b", 0]],
    ["one key twice", { a: "string", "a?": "string" }, ["a?"]],
  ])("with %s is refused at its place", (_, shape, path) => {
    expect(readOutput(shape)).toMatchObject({ kind: "wrong", path });
  });
});
