import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/core/command/context.ts";
import {
  type Expression,
  evaluateExpression,
  holds,
  printExpression,
} from "../../../src/workflow/definition/expression.ts";
import { parseExpression } from "../../../src/workflow/definition/parse-expression.ts";
import { inTier } from "../../support/tier.ts";

function read(text: string): Expression {
  const reading = parseExpression(text);
  if (reading.kind === "wrong") throw new Error(`${reading.column}: ${reading.problem}`);
  return reading.expression;
}

const SCOPE = {
  output: { approve: true, score: 7, reasons: ["slow", "ugly"], note: "", map: { a: 1 } },
  stages: { plan: { output: null }, "dash-ed": { output: "x" } },
  inputs: { task: "build it", none: null },
};

describe("an expression", () => {
  test.each<[string, JsonValue]>([
    ["output.approve", true],
    ["output.score", 7],
    ["output.reasons.0", "slow"],
    ["output.reasons.9", null],
    ["stages.dash-ed.output == 'x'", true],
    ["stages.plan.output.deep.deeper", null],
    ["not output.approve", false],
    ["not not output.approve", true],
    ["output.score > 5 and output.score <= 7", true],
    ["output.score >= 8 or output.score != 7", false],
    ["output.score < '8'", false],
    ["'a' < 'b'", true],
    ["output.reasons contains 'slow'", true],
    ["output.reasons contains 'slo'", false],
    ["inputs.task contains 'build'", true],
    ["output.map contains 'a'", true],
    ["output.map contains 'toString'", false],
    ["output.map == output.map", true],
    ["-1.5e2 == -150", true],
    [`"it's \\"so\\"" == 'it\\'s "so"'`, true],
    ["true == output.approve", true],
    ["inputs.none == null", true],
    // `and` binds closer than `or`, `not` closer than both.
    ["true or false and false", true],
    ["(true or false) and false", false],
    ["not false and false", false],
    ["not (false and false)", true],
    // What data inherits is not data.
    ["output.constructor", null],
    ["output.__proto__", null],
    ["output.reasons.length", null],
    ["inputs.task.length", null],
  ])("%s is %j", (text, value) => {
    expect(evaluateExpression(read(text), SCOPE)).toEqual(value);
  });

  test.each([
    ["output.note", false],
    ["output.map", true],
    ["output.reasons", true],
    ["inputs.none", false],
    ["0", false],
    ["'no'", true],
    ["nothing.at.all", false],
  ])("%s holds: %j", (text, does) => {
    expect(holds(read(text), SCOPE)).toBe(does);
  });

  test.each([
    ["", 1, "it is empty"],
    ["  ", 3, "it is empty"],
    ["output.a = 1", 10, "`=` is written `==`"],
    ["output.a && output.b", 10, "`&&` is written `and`"],
    ["output.a || output.b", 10, "`||` is written `or`"],
    ["!output.a", 1, "`!` is written `not`"],
    ["output.a === 1", 10, "`===` is written `==`"],
    ["output.a ==", 12, "something is missing at the end"],
    ["and output.a", 1, "`and` needs a path or a value before it"],
    ["(output.a", 1, "the bracket is not closed"],
    ["output.a)", 9, "`)` is not expected here"],
    ["output.a output.b", 10, "`output.b` is not expected here"],
    ["1 < 2 < 3", 7, "a comparison has two sides; join two with `and`"],
    ["'open", 1, "the quote is not closed"],
    ["output.files[0]", 13, "`[` has no meaning in an expression"],
    ["output.a + 1", 10, "`+` has no meaning in an expression"],
    ["process.exit()", 13, "`(` is not expected here"],
    ["x".repeat(1001), 1, "it has more than 1000 characters"],
    [`${"(".repeat(60)}1${")".repeat(60)}`, 51, "it is nested more than 50 deep"],
    [`${"not ".repeat(60)}1`, 201, "it is nested more than 50 deep"],
  ])("%j is refused at column %i: %s", (text, column, problem) => {
    expect(parseExpression(text)).toEqual({ kind: "wrong", column, problem });
  });
});

const name = fc
  .stringMatching(/^[A-Za-z_][\w-]{0,6}$/)
  .filter((word) => !["and", "or", "not", "contains", "true", "false", "null"].includes(word));
const path = fc
  .array(fc.oneof(name, fc.nat(9).map(String)), { maxLength: 3 })
  .chain((rest) => name.map((root) => [root, ...rest]));
const literal = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.boolean(),
  fc.constant(null),
);
const operator = fc.constantFrom(...(["==", "!=", "<", "<=", ">", ">=", "contains"] as const));

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    path.map((steps): Expression => ({ kind: "path", path: steps })),
    literal.map((value): Expression => ({ kind: "value", value })),
    tie("expression").map((of): Expression => ({ kind: "not", of })),
    fc
      .tuple(fc.constantFrom("and" as const, "or" as const), tie("expression"), tie("expression"))
      .map(([kind, left, right]): Expression => ({ kind, left, right })),
    fc
      .tuple(operator, tie("expression"), tie("expression"))
      .map(([one, left, right]): Expression => ({ kind: "compare", operator: one, left, right })),
  ),
}));

const numRuns = inTier(300, 20_000);

test("an expression that is printed is read as the same", () => {
  fc.assert(
    fc.property(expression, (tree) => {
      const printed = printExpression(tree);
      fc.pre(printed.length <= 1_000);
      expect(read(printed)).toEqual(tree);
    }),
    { numRuns },
  );
});

test("every expression says something of whatever data, as JSON", () => {
  fc.assert(
    fc.property(expression, fc.dictionary(name, fc.jsonValue()), (tree, data) => {
      const scope = JSON.parse(JSON.stringify(data));
      const value = evaluateExpression(tree, scope);
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      expect(evaluateExpression({ kind: "not", of: tree }, scope)).toBe(!holds(tree, scope));
    }),
    { numRuns },
  );
});

test("every text is an expression or wrong at a column of it", () => {
  const words = fc.constantFrom(
    "output",
    ".",
    "a",
    " ",
    "and",
    "not",
    "(",
    ")",
    "==",
    "<",
    "'",
    "1",
    "-",
    "\\",
    "contains",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((list) => list.join("")),
      ),
      (text) => {
        const reading = parseExpression(text);
        if (reading.kind === "expression") return;
        expect(reading.column).toBeGreaterThanOrEqual(1);
        expect(reading.column).toBeLessThanOrEqual(text.length + 1);
      },
    ),
    { numRuns },
  );
});
