// Whether an awk program only prints: it can run programs, open files and load others.
import type { ShellWord, SimpleCommand } from "../simple-command.ts";

const MAX_PROGRAM = 20_000;

/** Options end at the first operand, which is the program. */
export function provesAwk(words: readonly ShellWord[], _: SimpleCommand): boolean {
  let index = 0;
  for (let word = words[index]; word !== undefined; word = words[index]) {
    if (word.kind !== "literal") return false;
    if (!/^-./.test(word.text)) break;
    if (word.text === "--") {
      index++;
      break;
    }
    // A value is never evaluated.
    if (/^-[Fv]$/.test(word.text)) index += 2;
    else if (
      /^(-[Fv].+|--(field-separator|assign)=.*|--posix|--re-interval|--csv)$/s.test(word.text)
    )
      index++;
    else return false;
  }
  const program = words[index];
  const hasProgram = program !== undefined && program.kind === "literal";
  // Behind the program stand only files and values.
  return hasProgram && isReadingProgramText(program.text);
}

function isReadingProgramText(program: string): boolean {
  if (program.length > MAX_PROGRAM || /\\\r?\n/.test(program)) return false;
  // Where no `/` can begin an expression and no `#` a comment, what is in quotes is known for sure.
  const isClear = !/[/#]/.test(program);
  const text = isClear ? dropStrings(program) : program;
  if (text === null || /system|getline|@|close|extension/.test(text)) return false;
  if (text.replaceAll("||", "").includes("|")) return false;
  return isClear ? !redirects(text) : !/>(?!=)/.test(text);
}

/** The program without its strings; null where one does not end. */
function dropStrings(program: string): string | null {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < program.length; at++) {
    if (program[at] !== '"') continue;
    parts.push(program.slice(start, at));
    for (at++; program[at] !== '"'; at++) {
      if (at >= program.length) return null;
      if (program[at] === "\\") at++;
    }
    start = at + 1;
  }
  return [...parts, program.slice(start)].join(" ");
}

/** `>` compares outside of braces and inside of parentheses; elsewhere it may be the redirection of a `print`. */
function redirects(text: string): boolean {
  // The parentheses of a `for` may hold a whole `print`.
  const mayHoldPrint = /for/.test(text);
  let braces = 0;
  let parentheses = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{") braces++;
    if (character === "}") braces--;
    if (character === "(") parentheses++;
    if (character === ")") parentheses--;
    if (
      character === ">" &&
      text[at + 1] !== "=" &&
      braces > 0 &&
      (parentheses <= 0 || mayHoldPrint)
    )
      return true;
  }
  return false;
}
