import { describe, expect, test } from "vitest";
import {
  Fault,
  fault,
  formatFault,
  formatWhere,
  reportFault,
} from "../../../src/core/command/fault.ts";
import { FAULT_CODES, type FaultCodeName } from "../../../src/core/command/fault-codes.ts";

describe("a fault", () => {
  const raised = fault(
    "CommandUnknown",
    { name: "depoly", suggestions: ["deploy", "destroy"] },
    { hint: "list all with `adj commands`", cause: new Error("below") },
  );

  test("says what happened, and what to do next", () => {
    expect(raised).toBeInstanceOf(Error);
    expect(raised).toBeInstanceOf(Fault);
    expect(raised.message).toBe("unknown command `depoly`; did you mean `deploy` or `destroy`?");
    expect(formatFault(raised)).toBe(
      "unknown command `depoly`; did you mean `deploy` or `destroy`? list all with `adj commands`",
    );
    expect(raised).toMatchObject({ class: "Usage", code: "CommandUnknown", exitCode: 127 });
    expect(raised.cause).toEqual(new Error("below"));
  });

  test("is reported without its facts and its cause", () => {
    expect(reportFault(raised)).toEqual({
      class: "Usage",
      code: "CommandUnknown",
      message: raised.message,
      hint: "list all with `adj commands`",
    });
  });

  test("without a hint ends with its message", () => {
    const plain = fault("Declined", { name: "deploy" });
    expect(formatFault(plain)).toBe("`deploy` was declined");
    expect(plain).toMatchObject({ hint: null, where: null });
  });

  test.each([
    [{ file: "hooks.yaml" }, "hooks.yaml"],
    [{ file: "hooks.yaml", line: 7 }, "hooks.yaml:7"],
    [{ file: "hooks.yaml", line: 7, column: 5 }, "hooks.yaml:7:5"],
  ])("at %j begins with %s", (where, text) => {
    expect(formatWhere(where)).toBe(text);
    expect(fault("FileInvalid", { problem: "unknown step" }, { where }).message).toBe(
      `${text}: unknown step`,
    );
  });
});

const CLASSES = ["Usage", "Config", "Trust", "Consent", "Cancelled", "Timeout", "Process", "Agent"];
const ALL_CLASSES: readonly string[] = [...CLASSES, "Hook", "Storage", "Internal"];

/** Facts enough for any message of the table. */
const FACTS = new Proxy(
  { suggestions: ["a"], files: ["a.ts", "b.ts"], capabilities: ["tools"] },
  { get: (known, key) => Reflect.get(known, key) ?? `the ${String(key)}` },
);

describe("the table of codes", () => {
  const codes = Object.entries(FAULT_CODES);

  test.each(codes)(
    "%s has class, exit code, answers for every surface and a message",
    (_, code) => {
      expect(ALL_CLASSES).toContain(code.class);
      expect(Number.isInteger(code.exitCode)).toBe(true);
      expect(code.exitCode).toBeGreaterThanOrEqual(1);
      expect(code.exitCode).toBeLessThanOrEqual(255);
      expect(code.httpStatus).toBeGreaterThanOrEqual(400);
      expect(code.httpStatus).toBeLessThan(600);
      expect(code.mcpCode).toBeLessThan(0);
      const message: (facts: typeof FACTS) => string = code.message as never;
      expect(message(FACTS)).toMatch(/\S/);
      expect(message(FACTS)).not.toMatch(/\.$|undefined|^[A-Z]|please|oops/);
    },
  );

  test("every class has a code", () => {
    const used = new Set<string>(codes.map(([, code]) => code.class));
    expect(ALL_CLASSES.filter((one) => !used.has(one))).toEqual([]);
  });

  test.each<[code: FaultCodeName, exitCode: number]>([
    ["CommandUnknown", 127],
    ["ArgumentsInvalid", 2],
    ["TooDeep", 2],
    ["StageActive", 2],
    ["CommandBroken", 2],
    ["Vetoed", 126],
    ["Declined", 126],
    ["Required", 126],
    ["Untrusted", 126],
    ["CommandTimeout", 124],
    ["Cancelled", 130],
    ["HandlerThrew", 1],
    ["LeaseLost", 1],
    ["ProcessLost", 1],
  ])("%s ends with %i", (code, exitCode) => {
    expect(FAULT_CODES[code].exitCode).toBe(exitCode);
  });
});
