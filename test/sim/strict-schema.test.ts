import { describe, expect, test } from "vitest";
import { findStrictProblem } from "../../src/sim/strict-schema.ts";

const ofResponses = (schema: unknown, strict = true) => ({
  input: "hi",
  text: { format: { type: "json_schema", name: "answer", strict, schema } },
});

const CLOSED = { type: "object", additionalProperties: false } as const;
const TEXT = { type: "string" };

describe("a schema in strict mode", () => {
  test.each<[what: string, schema: unknown, problem: string]>([
    [
      "an open object",
      { type: "object", properties: { a: TEXT }, required: ["a"] },
      "In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ],
    [
      "an optional property",
      { ...CLOSED, properties: { a: TEXT, b: TEXT }, required: ["a"] },
      "In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'b'.",
    ],
    [
      "an open object further in",
      {
        ...CLOSED,
        properties: { a: { type: "array", items: { type: "object", properties: {} } } },
        required: ["a"],
      },
      "In context=('properties', 'a', 'items'), 'additionalProperties' is required to be supplied and to be false.",
    ],
    [
      "a keyword that it has not",
      { ...CLOSED, properties: { a: { oneOf: [TEXT] } }, required: ["a"] },
      "In context=('properties', 'a'), 'oneOf' is not permitted.",
    ],
    [
      "a root that is no object",
      { type: "array", items: TEXT },
      "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"array\"'.",
    ],
    [
      "a required key that is none",
      { ...CLOSED, properties: {}, required: ["a"] },
      "In context=(), Extra required key 'a' supplied.",
    ],
  ])("is refused for %s", (_, schema, problem) => {
    const expected = `Invalid schema for response_format 'answer': ${problem}`;
    expect(findStrictProblem(ofResponses(schema))).toBe(expected);
    const chat = {
      messages: [],
      response_format: { json_schema: { name: "answer", strict: true, schema } },
    };
    expect(findStrictProblem(chat)).toBe(expected);
    expect(findStrictProblem(ofResponses(schema, false))).toBe(null);
  });

  test("is taken where it is closed and whole", () => {
    const inner = { ...CLOSED, properties: { b: { type: ["string", "null"] } }, required: ["b"] };
    const schema = {
      ...CLOSED,
      properties: { a: { type: "array", items: inner } },
      required: ["a"],
    };
    expect(findStrictProblem(ofResponses(schema))).toBe(null);
    expect(findStrictProblem({ input: "hi" })).toBe(null);
  });
});
