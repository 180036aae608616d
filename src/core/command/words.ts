import { fault } from "./fault.ts";

/** Splits a line as a POSIX shell splits it: quotes group, a backslash escapes, nothing is expanded. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < line.length) {
    const char = line.charAt(at);
    if (char === " " || char === "\t" || char === "\n") {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
      continue;
    }
    // A continued line is no piece of a word: standing alone it makes none.
    if (line.startsWith("\\\n", at)) {
      at += 2;
      continue;
    }
    const piece = readPiece(line, at);
    word = (word ?? "") + piece.text;
    at = piece.end;
  }
  if (word !== null) words.push(word);
  return words;
}

interface Piece {
  readonly text: string;
  readonly end: number;
}

function readPiece(line: string, at: number): Piece {
  const char = line.charAt(at);
  if (char === "'") return readSingleQuoted(line, at);
  if (char === '"') return readDoubleQuoted(line, at);
  if (char === "\\") return readEscape(line, at);
  return { text: char, end: at + 1 };
}

function readSingleQuoted(line: string, at: number): Piece {
  const close = line.indexOf("'", at + 1);
  if (close < 0) throw unclosed(line, at, "single quote");
  return { text: line.slice(at + 1, close), end: close + 1 };
}

function readDoubleQuoted(line: string, at: number): Piece {
  let text = "";
  for (let next = at + 1; next < line.length; next++) {
    const char = line.charAt(next);
    if (char === '"') return { text, end: next + 1 };
    const escaped = line.charAt(next + 1);
    if (char === "\\" && escaped !== "" && '"\\$`\n'.includes(escaped)) {
      text += escaped === "\n" ? "" : escaped;
      next += 1;
    } else text += char;
  }
  throw unclosed(line, at, "double quote");
}

function readEscape(line: string, at: number): Piece {
  if (at + 1 >= line.length) throw unclosed(line, at, "backslash");
  return { text: line.charAt(at + 1), end: at + 2 };
}

const unclosed = (line: string, at: number, quote: string) =>
  fault(
    "QuoteUnclosed",
    { line, column: at + 1, quote },
    {
      hint:
        quote === "backslash"
          ? "remove it or double it"
          : "close it, or escape it with a backslash",
    },
  );

/** One word so that any POSIX shell reads it back unchanged. */
export function quoteWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export const joinWords = (words: readonly string[]): string => words.map(quoteWord).join(" ");

// Text of others in a terminal. Controls could hide a line or type for the person, and direction marks could reorder it.

/**
 * Text of others (a path, a name, a diff) as a terminal may show it: what cannot be seen is written out, but for the
 * joiners that emoji and some scripts are written with.
 */
export function escapeControls(text: string): string {
  // It stands here because already to read it takes 0.25 ms of each start.
  const hidden = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
  return text.replaceAll(hidden, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** The same where it stands in a line: a line's end would begin another. */
export const escapeLine = (text: string): string =>
  escapeControls(text).replaceAll(/[\t\n]/g, (char) => (char === "\n" ? "\\n" : "\\t"));
