// Liquid as far as a body may use it: no files, no other template, nothing inherited, and an end to every loop.
// What it renders is a list of parts, in which directives stay apart from text.
import {
  type Context,
  type Emitter,
  Liquid,
  LiquidError,
  Parser,
  Tag,
  TagToken,
  type Template,
  Tokenizer,
  type TopLevelToken,
} from "liquidjs";
import { Fault, fault, type Where } from "../../core/command/fault.ts";
import { didYouMean } from "../../core/command/names.ts";
import type { Directive } from "./body.ts";
import type { Piece } from "./scan.ts";

/** Text, or a directive that was reached, with the variables as they were there. */
export type BodyPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "directive";
      readonly directive: Directive;
      readonly scope: Readonly<Record<string, unknown>>;
    };

const MAX_CHARACTERS = 64 * 1024 * 1024;
const MAX_DIRECTIVES = 1_000;

/** Where Liquid writes: text stays apart from directives, so that neither can be taken for the other. */
export class PartList implements Emitter {
  /** Liquid wants one; nothing reads it. */
  readonly buffer = "";
  readonly parts: BodyPart[] = [];
  #text: string[] = [];
  #characters = 0;
  #directives = 0;

  write(value: unknown): void {
    const text = printValue(value);
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) throw new Error("the body grows past 64 MB");
    this.#text.push(text);
  }

  reach(directive: Directive, context: Context): void {
    this.#directives += 1;
    if (this.#directives > MAX_DIRECTIVES)
      throw new Error(`the body reaches more than ${MAX_DIRECTIVES} imports and commands`);
    this.#endText();
    this.parts.push({ kind: "directive", directive, scope: { ...context.getAll() } });
  }

  finish(): readonly BodyPart[] {
    this.#endText();
    return this.parts;
  }

  #endText(): void {
    if (this.#text.length > 0) this.parts.push({ kind: "text", text: this.#text.join("") });
    this.#text = [];
  }
}

/** A list prints as it was typed, without quotes: a prompt is read by nobody who would take them off. */
export function printValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(printValue).join(" ");
  throw new Error("the body shows a value that has parts, such as `git` without `.branch`");
}

/** Tags that read other files. */
const TAGS_OFF = ["include", "render", "layout", "block"] as const;
// They take an expression as text, and text may come from anywhere.
const FILTERS_OFF = ["where", "reject", "group_by", "has", "find", "find_index"].map(
  (name) => `${name}_exp`,
);

const RENDER_LIMIT_MS = 5_000;
/** Characters and list entries that filters and ranges may make. */
const MEMORY_LIMIT = 32 * 1024 * 1024;

const PIECE = "adjutant-piece";

/** A piece that is not Liquid's, at its place among Liquid's tokens. */
class PieceToken extends TagToken {
  readonly piece: string | Directive;

  constructor(piece: string | Directive, offset?: number) {
    super(PIECE_TEXT, 0, PIECE_TEXT.length, engine.options, offset?.toString());
    this.piece = piece;
    this.name = PIECE;
  }
}
const PIECE_TEXT = "{% piece %}";

class PieceTag extends Tag {
  readonly #piece: string | Directive;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    if (!(token instanceof PieceToken)) throw new Error(`tag "${token.name}" not found`);
    this.#piece = token.piece;
  }

  render(context: Context, emitter: Emitter): void {
    if (typeof this.#piece === "string") emitter.write(this.#piece);
    else if (emitter instanceof PartList) emitter.reach(this.#piece, context);
    else throw new TypeError("a directive was rendered into a variable");
  }
}

export const engine = createEngine();

export interface EngineOptions {
  /** Gets what an output would print. */
  readonly escape?: (value: unknown) => string;
  /** Filters that are off here, beside those that are off everywhere. */
  readonly filtersOff?: readonly string[];
  readonly tagsOff?: readonly string[];
}

/** Liquid with some of its filters and tags off. */
export function createEngine(options: EngineOptions = {}): Liquid {
  const liquid = new Liquid({
    ...(options.escape === undefined ? {} : { outputEscape: options.escape }),
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: true,
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: MEMORY_LIMIT,
  });
  for (const name of [...TAGS_OFF, ...(options.tagsOff ?? [])]) delete liquid.tags[name];
  for (const name of [...FILTERS_OFF, ...(options.filtersOff ?? [])]) liquid.unregisterFilter(name);
  liquid.registerTag(PIECE, PieceTag);
  return liquid;
}

/** Each token knows where it stood by the name of its "file", so that no place costs a walk of the text. */
export function parseTemplate(pieces: readonly Piece[], liquid = engine): readonly Template[] {
  return new Parser(liquid).parseTokens(pieces.flatMap(tokenize));
}

function tokenize(piece: Piece): TopLevelToken[] {
  if (piece.kind === "text") return [new PieceToken(piece.text)];
  if (piece.kind === "directive") return [new PieceToken(piece.directive, piece.offset)];
  const { operators } = engine.options;
  return new Tokenizer(piece.text, operators, String(piece.offset)).readTopLevelTokens(
    engine.options,
  );
}

// What Liquid found wrong, in our words and at the place in the user's file.

type Locate = (offset: number) => Where;

/** Runs a step of Liquid's; a bug of ours stays what it is. */
export function withLiquidProblems<Value>(locate: Locate, step: () => Value): Value {
  try {
    return step();
  } catch (error) {
    if (!LiquidError.is(error)) throw error;
    if (error.originalError instanceof Fault) throw error.originalError;
    if (error.originalError instanceof TypeError) throw error.originalError;
    throw describe(error, locate);
  }
}

function describe(error: LiquidError, locate: Locate): Fault {
  const original = error.originalError?.message ?? error.message;
  const message = original.replace(/, (?:file:\d+, )?line:\d+, col:\d+$/, "");
  const { problem, hint } = explain(message);
  const where = locate(Number(error.token.file ?? 0) + offsetWithin(error));
  return fault("FileInvalid", { problem }, { where, hint, cause: error });
}

/** A token of a filter or an expression begins within the tag; one of a whole tag at its start. */
const offsetWithin = ({ token }: LiquidError): number =>
  token.file === undefined ? 0 : token.begin;

interface Explanation {
  readonly problem: string;
  readonly hint: string;
}

const RULES: readonly [RegExp, (name: string) => Explanation][] = [
  [/^tag "(.*)" not found$/, explainTag],
  [/^undefined filter: (.*)$/, explainFilter],
  [/^undefined variable: (.*)$/, (name) => undefinedVariable(name, [])],
  [/^tag (.*) not closed$/s, explainOpen],
  [
    /^(the body .*)$/,
    (problem) => ({ problem, hint: "show less: a part of the value, or fewer rounds of a loop" }),
  ],
  [
    /^(?:template render|memory alloc) (limit) exceeded$/,
    () => ({
      problem: "the template takes too long or too much memory",
      hint: "shorten its loops",
    }),
  ],
];

function explain(message: string): Explanation {
  for (const [pattern, rule] of RULES) {
    const name = pattern.exec(message)?.[1];
    if (name !== undefined) return rule(name);
  }
  return {
    problem: `Liquid cannot read this: ${message}`,
    hint: "mend it, or write `\\{{` or `\\{%` for the characters themselves",
  };
}

function explainTag(name: string): Explanation {
  if (TAGS_OFF.some((tag) => tag === name))
    return { problem: `the Liquid tag \`${name}\` is off`, hint: "import a file with `@./file`" };
  if (name.startsWith("end") || name === "else" || name === "elsif" || name === "when")
    return {
      problem: `\`{% ${name} %}\` closes nothing that is open here`,
      hint: "remove it, or open its block outside of code, where tags are text",
    };
  if (Object.hasOwn(engine.tags, name)) return offHere("tag", name);
  const known = Object.keys(engine.tags).filter((tag) => /^[a-z]+$/.test(tag));
  return {
    problem: `unknown Liquid tag \`${name}\`${didYouMean(name, known)}`,
    hint: escapeHint("{%"),
  };
}

/** What is said of a filter or tag that is off only for some. */
const offHere = (what: string, name: string): Explanation => ({
  problem: `the Liquid ${what} \`${name}\` is off here`,
  hint: "its result would not be a plain value that is the same every time",
});

function explainFilter(name: string): Explanation {
  if (Object.hasOwn(engine.filters, name)) return offHere("filter", name);
  const problem = `unknown Liquid filter \`${name}\`${didYouMean(name, Object.keys(engine.filters))}`;
  return { problem, hint: "use a filter of Liquid's" };
}

function explainOpen(tag: string): Explanation {
  const name = /[a-z]+/.exec(tag)?.[0] ?? "";
  return {
    problem: `\`{% ${name} %}\` is not closed`,
    hint: `close it with \`{% end${name} %}\`, outside of code, where tags are text`,
  };
}

/** A variable that nobody defines. */
export function undefinedVariable(name: string, known: Iterable<string>): Explanation {
  return {
    problem: `no variable \`${name}\` is defined${didYouMean(name, known)}`,
    hint: "name it under `inputs`, or write `\\{{` for the characters themselves",
  };
}

const escapeHint = (mark: string) => `write \`\\${mark}\` for the characters themselves`;
