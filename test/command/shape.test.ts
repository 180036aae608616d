import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { describeArguments } from "../../src/command/arguments-schema.ts";
import { privateTexts, shapeArguments, shapeOf } from "../../src/command/shape.ts";

const SCHEMA = describeArguments(
  z.object({
    target: z.string().meta({ plain: true }),
    tags: z.array(z.string()).optional().meta({ plain: true }),
    options: z.any().meta({ plain: true }),
    token: z.string().meta({ secret: true }),
    both: z.string().meta({ plain: true, secret: true }),
    note: z.string().optional(),
    pin: z.number().optional(),
  }),
);

test.each<[value: unknown, shape: string]>([
  ["hunter2", "string(7)"],
  ["", "string(0)"],
  [5, "number"],
  [true, "boolean"],
  [null, "null"],
  [undefined, "undefined"],
  [["a", "b"], "array(2)"],
  [{ a: 1 }, "object(1)"],
])("the shape of %j is %s", (value, shape) => {
  expect(shapeOf(value)).toBe(shape);
});

describe("arguments enter the record as shapes", () => {
  test.each<[args: Record<string, unknown>, shapes: Record<string, unknown>]>([
    [{ target: "prod" }, { target: "prod" }],
    [{ tags: ["a", "b"] }, { tags: ["a", "b"] }],
    [{ options: { deep: "hunter2" } }, { options: "object(1)" }],
    [{ options: [{ deep: "hunter2" }] }, { options: "array(1)" }],
    [{ token: "hunter2" }, { token: "string(7)" }],
    [{ both: "hunter2" }, { both: "string(7)" }],
    [
      { note: "hunter2", pin: 1234 },
      { note: "string(7)", pin: "number" },
    ],
    [{ hunter2: "hunter2" }, {}],
    [{ note: undefined }, {}],
    [{ target: "https://ann:hunter2@host/" }, { target: "https://ann:[secret]@host/" }],
    [{ tags: ["https://ann:hunter2@host/"] }, { tags: ["https://ann:[secret]@host/"] }],
  ])("%j as %j", (args, shapes) => {
    expect(shapeArguments(SCHEMA, args)).toEqual(shapes);
  });

  test("nothing of a value that is not marked plain is in it, whatever the value", () => {
    const text = fc.stringMatching(/^[!-~]{6,20}$/).map((one) => `#${one}#`);
    const value = fc.oneof(text, fc.array(text, { minLength: 1 }), fc.dictionary(text, text));
    fc.assert(
      fc.property(value, text, (secret, key) => {
        const record = JSON.stringify(
          shapeArguments(SCHEMA, { token: secret, both: secret, note: secret, [key]: secret }),
        );
        expect(record).not.toContain("#");
      }),
    );
  });
});

describe("texts that saved text must not hold", () => {
  test.each<[args: unknown, texts: string[]]>([
    [{ target: "prod", token: "hunter2" }, ["hunter2"]],
    [{ both: "hunter2" }, ["hunter2"]],
    [{ note: "n", pin: 123456 }, ["n", "123456"]],
    [{ unknown: ["a", { deep: "b" }] }, ["a", "b"]],
    [{ token: null, note: true }, []],
    ["a line", ["a line"]],
    [undefined, []],
  ])("of %j are %j", (args, texts) => {
    expect(privateTexts(SCHEMA, args)).toEqual(texts);
  });

  test("without a schema are all of them", () => {
    const args = { _: ["list"], base: "main", many: ["a", true] };
    expect(privateTexts(null, args)).toEqual(["list", "main", "a"]);
  });

  test("a mark deeper down or inherited makes nothing plain", () => {
    expect(privateTexts(SCHEMA, { note: { target: "hunter2" } })).toEqual(["hunter2"]);
    expect(privateTexts(SCHEMA, { constructor: "hunter2" })).toEqual(["hunter2"]);
  });
});
