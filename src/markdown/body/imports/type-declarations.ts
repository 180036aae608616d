// Interfaces and type aliases leave nothing behind when types are stripped: they are looked for in
// the gaps between statements, where only they and comments can stand.
import type { Declaration } from "./declarations.ts";

interface Gap {
  readonly begin: number;
  readonly end: number;
}

const HEAD =
  /(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:(interface)|type|(?:abstract\s+)?class|function|const|let|var|namespace|module)\s+([\p{L}_$][\p{L}\p{N}_$]*)/uy;
// Everything in which a bracket or a semicolon means nothing.
const SKIPPED =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|=>/y;

export function listTypes(text: string, gaps: readonly Gap[]): Declaration[] {
  return gaps.flatMap((gap) => listInGap(text, gap));
}

function listInGap(text: string, { begin, end }: Gap): Declaration[] {
  const found: Declaration[] = [];
  let at = begin;
  while (at < end) {
    const head = matchHead(text, at, end);
    if (head !== null) {
      const stop = findEnd(text, at + head[0].length, { end, isBlock: head[1] !== undefined });
      found.push({ names: [head[2] ?? ""], begin: at, end: stop });
      at = stop;
    } else at += matchAt(SKIPPED, text, at, end)?.[0].length ?? 1;
  }
  return found;
}

interface Limits {
  readonly end: number;
  readonly isBlock: boolean;
}

/** An interface ends with its braces, any other with a semicolon or where the next one begins. */
function findEnd(text: string, from: number, { end, isBlock }: Limits): number {
  let depth = 0;
  let last = from;
  let isLineStart = false;
  for (let at = from; at < end; ) {
    const char = text.charAt(at);
    if (depth === 0 && isLineStart && matchHead(text, at, end) !== null) return last;
    const skipped = matchAt(SKIPPED, text, at, end)?.[0];
    if (skipped === undefined) depth += changeDepth(char);
    at += skipped?.length ?? 1;
    if (!isBlank(char) && !/^\/[/*]/.test(skipped ?? "")) last = at;
    isLineStart = char === "\n" || (isLineStart && isBlank(char));
    if (depth === 0 && (char === ";" || (isBlock && char === "}"))) return at;
  }
  return last;
}

const isBlank = (char: string): boolean => /\s/.test(char);

function changeDepth(char: string): number {
  if ("{([<".includes(char)) return 1;
  return "})]>".includes(char) ? -1 : 0;
}

/** Not in the middle of a word. */
function matchHead(text: string, at: number, end: number): RegExpExecArray | null {
  return /[\p{L}\p{N}_$.]/u.test(text.charAt(at - 1)) ? null : matchAt(HEAD, text, at, end);
}

function matchAt(pattern: RegExp, text: string, at: number, end: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null || pattern.lastIndex > end ? null : match;
}
