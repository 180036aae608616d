// Globs in linear space and at worst quadratic time: no pattern can make a hook hang.

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

export interface GlobStyle {
  /** `text`: `*` is any text. `path`: `*` stays within a folder, `**` does not. */
  readonly style: "text" | "path";
}

const compiled = new Map<string, readonly Token[]>();
const MOST_COMPILED = 1_000;

/** Whether the pattern matches the whole text. `*`, `?`, `[a-z]`, `[!a]`, and `\` before any of them. */
export function matchGlob(pattern: string, text: string, { style }: GlobStyle): boolean {
  return matchTokens(compile(pattern, style), [...text]);
}

function compile(pattern: string, style: GlobStyle["style"]): readonly Token[] {
  const key = `${style}:${pattern}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  const tokens = tokenize([...pattern], style === "path");
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
  for (let index = 0; index < pattern.length; ) {
    const { token, length } = readToken(pattern, index, isPath);
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

function readToken(pattern: readonly string[], index: number, isPath: boolean): TokenReading {
  const character = pattern[index] ?? "";
  if (character === "*") return readStar(pattern, index, isPath);
  if (character === "?") return { token: one((each) => !isPath || each !== "/"), length: 1 };
  if (character === "[") return readSet(pattern, index) ?? { token: exactly("["), length: 1 };
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
