import { describe, expect, test } from "vitest";
import * as z from "zod";
import { describeArguments } from "../../../src/core/command/describe-arguments.ts";
import { checkArguments } from "../../../src/core/command/schema.ts";
import { catchFault } from "./catch-fault.ts";
import { summaryOf } from "./command-summary.ts";

const SCHEMA = z.strictObject({
  target: z.string().min(1).max(5).meta({ positional: 0 }),
  level: z.enum(["low", "high"]).default("low"),
  dryRun: z.boolean().default(false),
  count: z.int().positive().lt(10).optional(),
  step: z.number().multipleOf(5).optional(),
  tag: z.array(z.string()).max(1).optional(),
  mail: z.email().optional(),
  size: z.union([z.int(), z.literal("auto")]).optional(),
  even: z
    .number()
    .refine((value) => value % 2 === 0, "Has to be even")
    .optional(),
});

const check = (raw: unknown, schema: z.ZodType = SCHEMA) =>
  checkArguments(summaryOf("deploy", { schema: describeArguments(schema) }), schema, raw);

test("arguments that fit come out with defaults filled in", () => {
  expect(check({ target: "prod", count: 3 })).toEqual({
    target: "prod",
    level: "low",
    dryRun: false,
    count: 3,
  });
});

describe("what does not fit is named as the person typed it", () => {
  test.each<[raw: unknown, problem: string]>([
    [{}, "`<target>` is missing"],
    [{ target: 5 }, "`<target>` must be a string"],
    [{ target: "" }, "`<target>` must be at least 1 character"],
    [{ target: "hunter2" }, "`<target>` must be at most 5 characters"],
    [{ target: "a", level: "hunter2" }, "`--level` must be one of `low`, `high`"],
    [{ target: "a", dryRun: "yes" }, "`--dry-run` must be a boolean"],
    [{ target: "a", count: 1.5 }, "`--count` must be an int"],
    [{ target: "a", count: 0 }, "`--count` must be more than 0"],
    [{ target: "a", count: 10 }, "`--count` must be less than 10"],
    [{ target: "a", step: 7 }, "`--step` is not a valid number: must be a multiple of 5"],
    [{ target: "a", tag: 5 }, "`--tag` must be an array"],
    [{ target: "a", tag: [2] }, "`--tag` must be a string"],
    [{ target: "a", tag: ["a", "b"] }, "`--tag` must be at most 1 value"],
    [{ target: "a", mail: "hunter2" }, "`--mail` is not a valid email address"],
    [{ target: "a", size: "hunter2" }, "`--size` is not valid"],
    [{ target: "a", even: 3 }, "`--even` Has to be even"],
    [{ target: "a", wat: 1, no: 2 }, "`arguments` has no `wat`, `no`"],
    [{ level: "x" }, "`<target>` is missing, `--level` must be one of `low`, `high`"],
    ["text", "`arguments` must be an object"],
    [null, "`arguments` must be an object"],
  ])("%j: %s", (raw, problem) => {
    const raised = catchFault(() => check(raw));
    expect(raised).toMatchObject({ class: "Usage", code: "ArgumentsInvalid", exitCode: 2 });
    expect(raised.message).toBe(`\`deploy\`: ${problem}`);
    expect(raised.hint).toBe("see `adj help deploy`");
    expect(raised.message).not.toContain("hunter2");
  });

  test("a schema that must be awaited is refused with the reason", () => {
    const schema = z.object({ a: z.string().refine(async () => true) });
    const raised = catchFault(() => check({ a: "x" }, schema));
    expect(raised.message).toBe("`deploy`: its schema is asynchronous, which arguments cannot be");
  });

  test("an error of the schema's own code passes as it is", () => {
    const schema = z.object({
      a: z.string().transform(() => {
        throw new RangeError("from the schema");
      }),
    });
    expect(() => check({ a: "x" }, schema)).toThrow(RangeError);
  });
});
