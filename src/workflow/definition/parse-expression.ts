// The text of an expression → a tree. Nothing of it ever becomes code.
import { didYouMean } from "../../core/command/names.ts";
import type { Expression } from "./expression.ts";

export type ExpressionReading =
  | { readonly kind: "expression"; readonly expression: Expression }
  /** The column counts from 1 within the text. */
  | { readonly kind: "wrong"; readonly column: number; readonly problem: string };

const MAX_LENGTH = 1_000;
/** Of brackets and `not`; whatever is deeper nobody can read either. */
const MAX_DEPTH = 50;

/**
 * Paths, comparison, `and`, `or`, `not`, `contains`, numbers, strings.
 *
 * @example
 * parseExpression("output.approve and not (output.reasons contains 'tests')");
 */
export function parseExpression(text: string): ExpressionReading {
  if (text.length > MAX_LENGTH)
    return { kind: "wrong", column: 1, problem: `it has more than ${MAX_LENGTH} characters` };
  try {
    return { kind: "expression", expression: new ExpressionParser(text).parse() };
  } catch (error) {
    if (!(error instanceof ExpressionProblem)) throw error;
    return { kind: "wrong", column: error.at + 1, problem: error.message };
  }
}

class ExpressionProblem extends Error {
  readonly at: number;

  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
  }
}

type Operator = Extract<Expression, { kind: "compare" }>["operator"];

type Token = { readonly at: number; readonly text: string } & (
  | { readonly kind: "number" | "path" | "mark" | "end" }
  | { readonly kind: "string"; readonly value: string }
);

const OPERATORS: readonly Operator[] = ["==", "!=", "<", "<=", ">", ">=", "contains"];
const WORDS: ReadonlySet<string> = new Set(["and", "or", "not", "contains"]);
const VALUES = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const BLANK = /\s+/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PATH = /[A-Za-z_][\w-]*(?:\.(?:[A-Za-z_][\w-]*|\d+))*/y;
const MARK = /==|!=|<=|>=|<|>|\(|\)/y;
const STRING = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/suy;

/** What people write who come from another language. */
const FOREIGN = new Map([
  ["=", "=="],
  ["===", "=="],
  ["!==", "!="],
  ["&&", "and"],
  ["||", "or"],
  ["!", "not"],
  ["<>", "!="],
]);
const FOREIGN_MARK = /===|!==|&&|\|\||<>|=(?!=)|!(?!=)/y;

class ExpressionParser {
  readonly #text: string;
  #token: Token;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#token = this.#read(0);
  }

  parse(): Expression {
    if (this.#isOver()) throw this.#problem("it is empty");
    const whole = this.#readOr();
    if (!this.#isOver()) throw this.#problem(`\`${this.#token.text}\` is not expected here`);
    return whole;
  }

  #readOr(): Expression {
    let left = this.#readAnd();
    while (this.#takeWord("or")) left = { kind: "or", left, right: this.#readAnd() };
    return left;
  }

  #readAnd(): Expression {
    let left = this.#readNot();
    while (this.#takeWord("and")) left = { kind: "and", left, right: this.#readNot() };
    return left;
  }

  #readNot(): Expression {
    if (!this.#isWord("not")) return this.#readComparison();
    return this.#deeper(() => {
      this.#next();
      return { kind: "not", of: this.#readNot() };
    });
  }

  #readComparison(): Expression {
    const left = this.#readOperand();
    const operator = this.#takeOperator();
    if (operator === null) return left;
    const compared: Expression = { kind: "compare", operator, left, right: this.#readOperand() };
    const again = this.#token;
    if (this.#takeOperator() !== null)
      throw new ExpressionProblem(again.at, "a comparison has two sides; join two with `and`");
    return compared;
  }

  #readOperand(): Expression {
    const token = this.#token;
    if (token.kind === "mark" && token.text === "(") return this.#readGroup();
    if (token.kind === "end") throw this.#problem("something is missing at the end");
    if (token.kind === "mark" || WORDS.has(token.text))
      throw this.#problem(`\`${token.text}\` needs a path or a value before it`);
    this.#next();
    if (token.kind === "string") return { kind: "value", value: token.value };
    if (token.kind === "number") return { kind: "value", value: Number(token.text) };
    const value = VALUES.get(token.text);
    return value === undefined
      ? { kind: "path", path: token.text.split(".") }
      : { kind: "value", value };
  }

  #readGroup(): Expression {
    const open = this.#token;
    return this.#deeper(() => {
      this.#next();
      const inner = this.#readOr();
      if (this.#token.text !== ")")
        throw new ExpressionProblem(open.at, "the bracket is not closed");
      this.#next();
      return inner;
    });
  }

  #deeper(read: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.#problem(`it is nested more than ${MAX_DEPTH} deep`);
    const inner = read();
    this.#depth -= 1;
    return inner;
  }

  #isOver(): boolean {
    return this.#token.kind === "end";
  }

  #isWord(word: string): boolean {
    return this.#token.kind === "path" && this.#token.text === word;
  }

  #takeWord(word: string): boolean {
    const isIt = this.#isWord(word);
    if (isIt) this.#next();
    return isIt;
  }

  #takeOperator(): Operator | null {
    const { kind, text } = this.#token;
    if (kind !== "mark" && kind !== "path") return null;
    const operator = OPERATORS.find((one) => one === text) ?? null;
    if (operator !== null) this.#next();
    return operator;
  }

  #next(): void {
    this.#token = this.#read(this.#token.at + this.#token.text.length);
  }

  #read(from: number): Token {
    const at = from + (matchAt(BLANK, this.#text, from)?.[0].length ?? 0);
    if (at >= this.#text.length) return { kind: "end", at, text: "" };
    const foreign = matchAt(FOREIGN_MARK, this.#text, at)?.[0];
    if (foreign !== undefined)
      throw new ExpressionProblem(at, `\`${foreign}\` is written \`${FOREIGN.get(foreign)}\``);
    const string = matchAt(STRING, this.#text, at);
    if (string !== null) {
      const value = (string[1] ?? string[2] ?? "").replaceAll(/\\(.)/gsu, "$1");
      return { kind: "string", at, text: string[0], value };
    }
    for (const [kind, pattern] of [["number", NUMBER] as const, ["path", PATH] as const]) {
      const found = matchAt(pattern, this.#text, at)?.[0];
      if (found !== undefined) return { kind, at, text: found };
    }
    const mark = matchAt(MARK, this.#text, at)?.[0];
    if (mark !== undefined) return { kind: "mark", at, text: mark };
    throw new ExpressionProblem(at, describeStray(this.#text, at));
  }

  #problem(problem: string): ExpressionProblem {
    return new ExpressionProblem(this.#token.at, problem);
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function describeStray(text: string, at: number): string {
  const stray = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (stray === '"' || stray === "'") return "the quote is not closed";
  return `\`${stray}\` has no meaning in an expression`;
}

/** The paths that an expression reads. */
export function listPaths(expression: Expression): readonly (readonly string[])[] {
  switch (expression.kind) {
    case "value":
      return [];
    case "path":
      return [expression.path];
    case "not":
      return listPaths(expression.of);
    default:
      return [...listPaths(expression.left), ...listPaths(expression.right)];
  }
}

/** What may be read where an expression or a template stands. */
export interface KnownNames {
  readonly roots: readonly string[];
  readonly inputs: readonly string[];
  readonly stages: readonly string[];
}

/** Why a path can never lead anywhere; null where it may. */
export function findNameProblem(path: readonly string[], known: KnownNames): string | null {
  const [root = "", name] = path;
  if (!known.roots.includes(root))
    return `nothing is called \`${root}\` here${didYouMean(root, known.roots)}`;
  if (name === undefined) return null;
  if (root === "inputs" && !known.inputs.includes(name))
    return `the workflow has no input \`${name}\`${didYouMean(name, known.inputs)}`;
  if (root === "stages" && !known.stages.includes(name))
    return `there is no stage \`${name}\`${didYouMean(name, known.stages)}`;
  return null;
}
