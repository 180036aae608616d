import { describe, expect, test } from "vitest";
import { dropNulls, toStrictSchema } from "../../../src/agents/log/strict-schema.ts";
import type { JsonValue } from "../../../src/core/command/context.ts";
import { findStrictProblem } from "../../../src/sim/strict-schema.ts";

type Schema = { readonly [key: string]: JsonValue };

const TEXT = { type: "string" };
const REVIEW: Schema = {
  type: "object",
  properties: {
    approve: { type: "boolean" },
    note: { type: "string", minLength: 2, default: "" },
    level: { enum: ["low", "high"] },
    kind: { type: "string", enum: ["a", "b"] },
    findings: {
      type: "array",
      items: {
        type: "object",
        properties: { file: TEXT, line: { type: "integer" } },
        required: ["file"],
      },
    },
    either: { oneOf: [TEXT, { type: "null" }] },
  },
  required: ["approve"],
};

const isTaken = (schema: Schema | null) =>
  findStrictProblem({ input: "x", text: { format: { strict: true, schema } } });

describe("a schema in strict form", () => {
  test("is one that the API takes, whatever it was", () => {
    expect(isTaken(REVIEW)).not.toBe(null);
    const strict = toStrictSchema(REVIEW);
    expect(isTaken(strict)).toBe(null);
    expect(strict).toMatchObject({
      required: ["approve", "note", "level", "kind", "findings", "either"],
      properties: {
        approve: { type: "boolean" },
        note: { type: ["string", "null"] },
        level: { anyOf: [{ enum: ["low", "high"] }, { type: "null" }] },
        kind: { type: ["string", "null"], enum: ["a", "b", null] },
      },
    });
  });

  test("that is strict already stays as it is", () => {
    const schema = {
      type: "object",
      properties: { a: TEXT },
      required: ["a"],
      additionalProperties: false,
    };
    expect(toStrictSchema(schema)).toEqual(schema);
  });

  test.each<[what: string, schema: Schema]>([
    ["a map of any keys", { type: "object", additionalProperties: TEXT }],
    [
      "an object of which nothing is said",
      { type: "object", properties: { a: { type: "object" } } },
    ],
    ["a root that is no object", { type: "array", items: TEXT }],
    ["a condition", { type: "object", properties: {}, allOf: [] }],
    ["a tuple", { type: "object", properties: { a: { type: "array", prefixItems: [TEXT] } } }],
  ])("there is none for %s", (_, schema) => {
    expect(toStrictSchema(schema)).toBe(null);
  });
});

test("nulls for what may be left out are dropped, and no others", () => {
  const said = {
    ...{ approve: null, note: null, level: "low", either: null },
    findings: [{ file: "a", line: null }],
  };
  expect(dropNulls(said, REVIEW)).toEqual({
    ...{ approve: null, level: "low", either: null },
    findings: [{ file: "a" }],
  });
  expect(dropNulls([null, 1], { type: "array" })).toEqual([null, 1]);
});
