import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkResult, fail, ok } from "../../../src/core/command/result.ts";
import { catchFault } from "./catch-fault.ts";

test("a success and a failure have the same fields", () => {
  expect(ok("done", { id: 1 })).toEqual({
    success: true,
    output: "done",
    errorOutput: null,
    exitCode: 0,
    metadata: { id: 1 },
  });
  expect(fail("no such branch", 3)).toEqual({
    success: false,
    output: "",
    errorOutput: "no such branch",
    exitCode: 3,
    metadata: null,
  });
  expect(ok()).toMatchObject({ output: "", metadata: null });
  expect(fail("why")).toMatchObject({ exitCode: 1 });
});

test("bytes pass as they are", () => {
  const bytes = new Uint8Array([0xff, 0x00, 0xfe]);
  expect(checkResult("x", ok(bytes)).output).toBe(bytes);
  expect(checkResult("x", fail(bytes)).errorOutput).toBe(bytes);
});

describe("an inconsistent result is an internal error with the command's name", () => {
  test.each<[value: unknown, problem: string]>([
    [undefined, "it is not an object"],
    [null, "it is not an object"],
    ["done", "it is not an object"],
    [{}, "`exitCode` is not a whole number from 0 to 255"],
    [{ ...ok(), exitCode: 256 }, "`exitCode` is not a whole number from 0 to 255"],
    [{ ...ok(), exitCode: -1 }, "`exitCode` is not a whole number from 0 to 255"],
    [{ ...ok(), exitCode: 1.5 }, "`exitCode` is not a whole number from 0 to 255"],
    [{ ...ok(), exitCode: "0" }, "`exitCode` is not a whole number from 0 to 255"],
    [{ ...ok(), exitCode: 1 }, "`success` does not agree with `exitCode`"],
    [{ ...ok(), success: false }, "`success` does not agree with `exitCode`"],
    [{ ...fail("x"), success: true }, "`success` does not agree with `exitCode`"],
    [{ ...ok(), success: 1 }, "`success` does not agree with `exitCode`"],
    [fail("x", 0), "`success` does not agree with `exitCode`"],
    [{ ...ok(), output: null }, "`output` is neither text nor bytes"],
    [{ ...ok(), output: ["a"] }, "`output` is neither text nor bytes"],
    [{ ...ok(), errorOutput: undefined }, "`errorOutput` is neither text, bytes nor null"],
    [{ ...ok(), metadata: undefined }, "`metadata` is neither an object nor null"],
    [{ ...ok(), metadata: [] }, "`metadata` is neither an object nor null"],
    [{ ...ok(), metadata: "x" }, "`metadata` is neither an object nor null"],
  ])("%j: %s", (value, problem) => {
    const raised = catchFault(() => checkResult("deploy", value));
    expect(raised).toMatchObject({ class: "Internal", code: "ResultInvalid", exitCode: 1 });
    expect(raised.message).toBe(`\`deploy\` returned an invalid result: ${problem}`);
  });

  test("and every other combination passes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.boolean(), (exitCode, success) => {
        const value = { ...ok("x"), exitCode, success };
        const isConsistent = success === (exitCode === 0);
        if (isConsistent) expect(checkResult("x", value)).toBe(value);
        else expect(() => checkResult("x", value)).toThrow("does not agree");
      }),
    );
  });
});
