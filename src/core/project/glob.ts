// The one dialect of globs: `*`, `?`, `[a-z]`, `[!a]`, `\\` before any of them, and on paths `**` and `{a,b}`. Linear
// space and at worst quadratic time: no pattern can make a hook hang.

interface GlobStyle {
  /** `text`: `*` is any text, braces are themselves. `path`: `*` stays within a folder, `**` does not. */
  readonly style: "text" | "path";
}

/**
 * Whether the pattern matches the whole text. Names that begin with a dot are like any other.
 *
 * @example
 * matchGlob("src/**\/*.{ts,tsx}", "src/a/b.ts", { style: "path" }); // true
 */
export function matchGlob(pattern: string, text: string, { style }: GlobStyle): boolean {
  const characters = [...text];
  return compile(pattern, style).some((tokens) => matchTokens(tokens, characters));
}

/** Whether a text is a pattern rather than a path. */
export const isGlob = (text: string): boolean => /(?<!\\)(?:\\\\)*[*?[{]/.test(text);

const MAX_ALTERNATIVES = 100;

/** `a{b,c}` is `ab` and `ac`; braces without a comma, or too many of them, are themselves. */
export function expandBraces(pattern: string): readonly string[] {
  let open = [pattern];
  const plain: string[] = [];
  while (open.length > 0) {
    if (open.length + plain.length > MAX_ALTERNATIVES) return [pattern.replaceAll("{", "\\{")];
    open = open.flatMap((one) => {
      const braces = findBraces(one);
      if (braces === null) plain.push(one);
      return (braces?.parts ?? []).map((part) => braces?.before + part + braces?.after);
    });
  }
  return plain;
}

interface Braces {
  readonly before: string;
  readonly parts: readonly string[];
  readonly after: string;
}

/** The first pair with a comma of its own. One walk: braces that are never closed cost no second look. */
function findBraces(pattern: string): Braces | null {
  const open: number[][] = [];
  let first: readonly number[] | null = null;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "{") open.push([at]);
    else if (character === ",") open.at(-1)?.push(at);
    else if (character === "}") {
      const pair = open.pop();
      if (pair === undefined || pair.length < 2) continue;
      if (first === null || (pair[0] ?? 0) < (first[0] ?? 0)) first = [...pair, at];
    }
  }
  if (first === null) return null;
  const [start = 0, ...cuts] = first;
  const parts = cuts.map((cut, at) => pattern.slice((cuts[at - 1] ?? start) + 1, cut));
  const end = cuts.at(-1) ?? start;
  return { before: pattern.slice(0, start), parts, after: pattern.slice(end + 1) };
}

interface OneCharacter {
  readonly kind: "one";
  readonly accepts: (character: string) => boolean;
}
interface AnyText {
  readonly kind: "many";
  /** False for the `*` of a path, which stays within a folder. */
  readonly crossesFolders: boolean;
}
/** Two stars and a slash may also be no folder at all. */
interface MaybeFolders {
  readonly kind: "fork";
}
type Token = OneCharacter | AnyText | MaybeFolders;

const compiled = new Map<string, readonly (readonly Token[])[]>();
const MAX_COMPILED = 1_000;

/** A list of tokens for each alternative. */
function compile(pattern: string, style: GlobStyle["style"]): readonly (readonly Token[])[] {
  const key = `${style}:${pattern}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  const isPath = style === "path";
  const alternatives = isPath ? expandBraces(pattern) : [pattern];
  const tokens = alternatives.map((one) => tokenize([...one], isPath));
  compiled.set(key, tokens);
  return tokens;
}

/** Every state the pattern can be in after each character; a state is how many tokens are used up. */
function matchTokens(tokens: readonly Token[], text: readonly string[]): boolean {
  let states = closeOver(tokens, new Set([0]));
  for (const character of text) {
    const next = new Set<number>();
    for (const state of states) {
      const token = tokens[state];
      if (token === undefined || token.kind === "fork") continue;
      if (token.kind === "one") {
        if (token.accepts(character)) next.add(state + 1);
      } else if (token.crossesFolders || character !== "/") next.add(state);
    }
    if (next.size === 0) return false;
    states = closeOver(tokens, next);
  }
  return states.has(tokens.length);
}

const FORK_LENGTH = 3;

/** A `*` may also stand for nothing, and a fork passes over itself, its `**` and its `/`. */
function closeOver(tokens: readonly Token[], states: Set<number>): Set<number> {
  for (const state of states) {
    const kind = tokens[state]?.kind;
    if (kind === "many" || kind === "fork") states.add(state + 1);
    if (kind === "fork") states.add(state + FORK_LENGTH);
  }
  return states;
}

function tokenize(pattern: readonly string[], isPath: boolean): Token[] {
  const tokens: Token[] = [];
  const lastBracket = pattern.lastIndexOf("]");
  for (let index = 0; index < pattern.length; ) {
    const { token, length } = readToken(pattern, index, { isPath, lastBracket });
    if (isPath && isFolders(pattern, index)) tokens.push({ kind: "fork" });
    tokens.push(token);
    index += length;
  }
  return tokens;
}

const isFolders = (pattern: readonly string[], index: number): boolean =>
  (index === 0 || pattern[index - 1] === "/") && pattern.slice(index, index + 3).join("") === "**/";

interface TokenReading {
  readonly token: Token;
  readonly length: number;
}

interface TokenContext {
  readonly isPath: boolean;
  /** Behind it no set can end, and none is looked for. */
  readonly lastBracket: number;
}

function readToken(
  pattern: readonly string[],
  index: number,
  { isPath, lastBracket }: TokenContext,
): TokenReading {
  const character = pattern[index] ?? "";
  if (character === "*") return readStar(pattern, index, isPath);
  if (character === "?") return { token: one((each) => !isPath || each !== "/"), length: 1 };
  const set = character === "[" && index < lastBracket ? readSet(pattern, index) : null;
  if (set !== null) return set;
  const next = pattern[index + 1];
  if (character === "\\" && next !== undefined) return { token: exactly(next), length: 2 };
  return { token: exactly(character), length: 1 };
}

function readStar(pattern: readonly string[], index: number, isPath: boolean): TokenReading {
  let length = 1;
  while (pattern[index + length] === "*") length++;
  return { token: { kind: "many", crossesFolders: !isPath || length > 1 }, length };
}

function readSet(pattern: readonly string[], index: number): TokenReading | null {
  const isNegated = pattern[index + 1] === "!" || pattern[index + 1] === "^";
  const start = index + (isNegated ? 2 : 1);
  const end = pattern.indexOf("]", start + 1);
  if (end === -1) return null;
  const ranges = readRanges(pattern.slice(start, end));
  const accepts = (each: string): boolean =>
    ranges.some(([from, to]) => from <= each && each <= to) !== isNegated;
  return { token: one(accepts), length: end - index + 1 };
}

function readRanges(inner: readonly string[]): [string, string][] {
  const ranges: [string, string][] = [];
  for (let index = 0; index < inner.length; index++) {
    const from = inner[index] ?? "";
    const to = inner[index + 2];
    if (inner[index + 1] === "-" && to !== undefined) {
      ranges.push([from, to]);
      index += 2;
    } else ranges.push([from, from]);
  }
  return ranges;
}

const one = (accepts: OneCharacter["accepts"]): OneCharacter => ({ kind: "one", accepts });
const exactly = (wanted: string): OneCharacter => one((character) => character === wanted);
