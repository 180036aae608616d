import { describe, expect, test } from "vitest";
import { Fault, formatFault } from "../../../src/core/command/fault.ts";
import {
  NO_LIMITS,
  parseBudget,
  readInputs,
  readScriptArgs,
} from "../../../src/workflow/commands/limits.ts";

const said = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return formatFault(error);
    throw error;
  }
  throw new Error("it was accepted");
};

describe("a budget", () => {
  test.each([
    [undefined, NO_LIMITS],
    ["usd=2", { ...NO_LIMITS, usd: 2 }],
    [
      "usd=0.5,tokens=500000,calls=100,time=10m",
      { usd: 0.5, tokens: 500_000, calls: 100, timeMs: 600_000 },
    ],
    [" calls=3 , time=90s", { ...NO_LIMITS, calls: 3, timeMs: 90_000 }],
  ])("%j is understood", (text, limits) => {
    expect(parseBudget(text)).toEqual(limits);
  });

  test.each([
    [
      "2",
      "`workflow`: `--budget` cannot be read at `2`; write `usd=2,tokens=500000,calls=100,time=10m`, or some of them",
    ],
    ["usb=2", "`workflow`: `--budget` cannot be read at `usb=2`; did you mean `usd`?"],
    ["usd=0", "`workflow`: `--budget usd=0` must be a number above 0; give another one"],
    ["usd=-1", "`workflow`: `--budget usd=-1` must be a number above 0; give another one"],
    ["usd=1e999", "`workflow`: `--budget usd=1e999` must be a number above 0; give another one"],
    [
      "calls=1.5",
      "`workflow`: `--budget calls=1.5` must be a whole number above 0; give another one",
    ],
    [
      "time=10",
      "`workflow`: `--budget time=10` must be a time such as `10m` above 0; give another one",
    ],
    ["usd=1,usd=2", "`workflow`: `--budget` says `usd` twice; say it once"],
  ])("%j is refused with a line", (text, line) => {
    expect(said(() => parseBudget(text))).toBe(line);
  });
});

describe("what a workflow is given", () => {
  const readInput = async () => new TextEncoder().encode('{"piped": true}');
  const context = { readInput };

  test("inputs are laid over the JSON of `--args`", async () => {
    expect(await readScriptArgs({ args: undefined, input: [] }, context)).toBeUndefined();
    expect(await readScriptArgs({ args: "[1]", input: [] }, context)).toEqual([1]);
    expect(await readScriptArgs({ args: "-", input: ["a=b=c"] }, context)).toEqual({
      piped: true,
      a: "b=c",
    });
    await expect(readScriptArgs({ args: "[1]", input: ["a=1"] }, context)).rejects.toThrow(
      "object",
    );
    await expect(readScriptArgs({ args: "{a: 1}", input: [] }, context)).rejects.toThrow(
      "not JSON",
    );
  });

  test("an input without a name is refused, and `__proto__` is a name like any other", () => {
    expect(said(() => readInputs(["=x"]))).toContain("is not `name=value`");
    expect(said(() => readInputs(["task"]))).toContain("is not `name=value`");
    expect(Object.keys(readInputs(["__proto__=x"]))).toEqual(["__proto__"]);
  });
});
