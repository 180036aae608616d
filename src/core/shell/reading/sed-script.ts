// Whether a sed script only prints: `w` and `r` name files, `e` runs a program, `s` has flags for both.
import type { ShellWord, SimpleCommand } from "../simple-command.ts";
import { proveWords } from "./option-rule.ts";

const RULE = {
  flags: "nErsuz",
  valued: "el",
  long: "quiet silent regexp-extended expression= separate unbuffered null-data line-length= sandbox posix debug",
};

export function provesSed(words: readonly ShellWord[], command: SimpleCommand): boolean {
  const proven = proveWords(words, RULE, command);
  if (proven === null) return false;
  const given = proven.values.filter(({ option }) => option === "-e" || option === "--expression");
  const scripts = given.length > 0 ? given.map(({ word }) => word) : proven.operands.slice(0, 1);
  if (scripts.some(({ kind }) => kind !== "literal")) return false;
  // Every `-e` is a line of one script: `-e 'a\' -e 'w f'`.
  return isReadingScript(scripts.map(({ text }) => text).join("\n"));
}

const MAX_SCRIPT = 20_000;

function isReadingScript(script: string): boolean {
  if (script.length > MAX_SCRIPT) return false;
  let at = 0;
  while (at < script.length) {
    const next = readCommand(script, at);
    if (next === null) return false;
    at = next;
  }
  return true;
}

/** The place behind one command; null where it is not among those that only print. */
function readCommand(script: string, start: number): number | null {
  const at = skipAddresses(script, skipSpace(script, start, /[\s;]/));
  if (at === null) return null;
  if (at >= script.length) return at;
  const command = script[at] ?? "";
  if (command === "#") return lineEnd(script, at);
  if (command === "{" || command === "}") return at + 1;
  if ("pPdDgGhHnNx=lz".includes(command)) return readEnd(script, at + 1);
  if (command === "q" || command === "Q")
    return readEnd(script, skipSpace(script, at + 1, /[ \d]/));
  if (command === "s") return readSubstitution(script, at + 1);
  if (command === "y") return readDelimited(script, at + 1, 2, (end) => readEnd(script, end));
  return null;
}

function skipSpace(script: string, start: number, space: RegExp): number {
  let at = start;
  while (at < script.length && space.test(script[at] ?? "")) at++;
  return at;
}

const lineEnd = (script: string, at: number): number => {
  const end = script.indexOf("\n", at);
  return end === -1 ? script.length : end;
};

/** Behind a command comes its end, a `}` or a comment. */
function readEnd(script: string, start: number): number | null {
  const at = skipSpace(script, start, /[ \t]/);
  return at >= script.length || /[;\n}#]/.test(script[at] ?? "") ? at : null;
}

/** `1,5`, `$`, `/a/,/b/I`, `2~3`, `+4`, `!`. */
function skipAddresses(script: string, start: number): number | null {
  let at = start;
  for (;;) {
    const character = script[at] ?? "";
    if (/[\d$,~+! \t]/.test(character)) at++;
    else if (character === "/" || character === "\\") {
      const delimiter = character === "/" ? at : at + 1;
      const end = endOfPart(script, delimiter + 1, script[delimiter] ?? "/");
      if (end === null) return null;
      at = skipSpace(script, end + 1, /[IM]/);
    } else return at;
  }
}

/** The place of the delimiter that ends the part; null where there is none. A set may hold it. */
function endOfPart(script: string, start: number, delimiter: string): number | null {
  for (let at = start; at < script.length; at++) {
    if (script[at] === "\\") at++;
    else if (script[at] === delimiter) return at;
    else if (script[at] === "\n") return null;
  }
  return null;
}

function readDelimited(
  script: string,
  start: number,
  parts: number,
  after: (end: number) => number | null,
): number | null {
  const delimiter = script[start] ?? "";
  // Where a set holds the delimiter sed and this reading could part ways.
  if (delimiter === "" || /[\s\\;\w[\]]/.test(delimiter)) return null;
  let at = start;
  for (let part = 0; part < parts; part++) {
    const end = endOfPart(script, at + 1, delimiter);
    if (end === null) return null;
    at = end;
  }
  return after(at + 1);
}

const readSubstitution = (script: string, start: number): number | null =>
  readDelimited(script, start, 2, (end) => readEnd(script, skipSpace(script, end, /[gpiIm\d]/i)));
