// Expressions of stages: paths, comparison, `and`/`or`/`not`, `contains`, numbers, strings. Parsed, never evaluated as code.
import type { JsonValue } from "../../core/command/context.ts";

export type Expression =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "path"; readonly path: readonly string[] }
  | { readonly kind: "not"; readonly of: Expression }
  | {
      readonly kind: "and" | "or";
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "compare";
      readonly operator: "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains";
      readonly left: Expression;
      readonly right: Expression;
    };

// What an expression says of given data. Total: whatever the data is, there is an answer and nothing is thrown.

export type ExpressionScope = Readonly<Record<string, JsonValue>>;

/** What is not there is null. */
export function evaluateExpression(expression: Expression, scope: ExpressionScope): JsonValue {
  switch (expression.kind) {
    case "value":
      return expression.value;
    case "path":
      return readPath(expression.path, scope);
    case "not":
      return !holds(expression.of, scope);
    case "and":
      return holds(expression.left, scope) && holds(expression.right, scope);
    case "or":
      return holds(expression.left, scope) || holds(expression.right, scope);
    case "compare":
      return compare(
        expression.operator,
        evaluateExpression(expression.left, scope),
        evaluateExpression(expression.right, scope),
      );
  }
}

/** Nothing, false, 0 and whatever is empty do not hold. */
export const holds = (expression: Expression, scope: ExpressionScope): boolean =>
  isTrue(evaluateExpression(expression, scope));

function isTrue(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value);
  return Object.keys(value).length > 0;
}

function readPath(path: readonly string[], scope: ExpressionScope): JsonValue {
  let value: JsonValue = scope;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return null;
    // What is inherited, such as `constructor`, is no data, and neither is the length of a list.
    if (!Object.hasOwn(value, step)) return null;
    value = (isList(value) ? value[Number(step)] : value[step]) ?? null;
  }
  return value;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

type Comparison = Extract<Expression, { kind: "compare" }>;

function compare(operator: Comparison["operator"], left: JsonValue, right: JsonValue): boolean {
  switch (operator) {
    case "==":
      return isSame(left, right);
    case "!=":
      return !isSame(left, right);
    case "contains":
      return contains(left, right);
    default:
      return isOrdered(operator, left, right);
  }
}

/** Two numbers or two texts; anything else has no order. */
function isOrdered(operator: "<" | "<=" | ">" | ">=", left: JsonValue, right: JsonValue): boolean {
  const areNumbers = typeof left === "number" && typeof right === "number";
  const areTexts = typeof left === "string" && typeof right === "string";
  if (!areNumbers && !areTexts) return false;
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}

/** A part of a text, an entry of a list, a key of a map. */
function contains(whole: JsonValue, part: JsonValue): boolean {
  if (isList(whole)) return whole.some((item) => isSame(item, part));
  if (typeof part !== "string" || whole === null) return false;
  if (typeof whole === "string") return whole.includes(part);
  return typeof whole === "object" && Object.hasOwn(whole, part);
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
    return left === right;
  if (isList(left) !== isList(right)) return false;
  const ours = Object.entries(left);
  const theirs = new Map<string, JsonValue>(Object.entries(right));
  return (
    ours.length === theirs.size &&
    ours.every(([key, value]) => {
      const other = theirs.get(key);
      return other !== undefined && isSame(value, other);
    })
  );
}

/** The expression as a person would write it. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "value":
      return printValue(expression.value);
    case "path":
      return expression.path.join(".");
    case "not":
      return `not ${printInner(expression.of, ["compare"])}`;
    case "and":
      return `${printInner(expression.left, ["and", "not", "compare"])} and ${printInner(expression.right, ["not", "compare"])}`;
    case "or":
      return `${printExpression(expression.left)} or ${printInner(expression.right, ["and", "not", "compare"])}`;
    case "compare":
      return `${printInner(expression.left, [])} ${expression.operator} ${printInner(expression.right, [])}`;
  }
}

/** In brackets, but for values, paths and these. */
function printInner(inner: Expression, bare: readonly Expression["kind"][]): string {
  const isBare = inner.kind === "value" || inner.kind === "path" || bare.includes(inner.kind);
  return isBare ? printExpression(inner) : `(${printExpression(inner)})`;
}

const printValue = (value: JsonValue): string =>
  typeof value === "string"
    ? `"${value.replaceAll(/["\\]/g, (mark) => `\\${mark}`)}"`
    : JSON.stringify(value);
