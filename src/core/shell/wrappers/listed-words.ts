// Programs that code in another language starts with their words in a list: `subprocess.run(["git", "push", "-f"])`,
// `spawnSync('rm', ['-rf', 'x'])`, `exec "git", "reset"`, `new Deno.Command("git", { args: ["push"] })`.
import type { InnerCommand, ShellWord } from "../simple-command.ts";

/** A program in quotes that a guard has something to say about, and a comma behind it. */
const START =
  /(["'`])((?:\/[\w./-]{0,60}\/)?(?:git|rm|rmdir|unlink|shred|truncate|dd|find|curl|wget|nc|ncat|ssh|scp|rsync|sudo|env|adj|cat|cp|mv|tee|tar|bash|sh|zsh|dash))\1\s{0,20},/g;
const NEXT =
  /(?:\s{0,20}\{\s{0,20}args\s{0,9}:)?[\s,[(]{0,40}(?:(["'`])((?:(?!\1)[^\\\n]){0,500})\1(?=\s{0,20}[,\])]|\s{0,20}$|\s{0,20};))?/y;
const MAX_CALLS = 50;
const MAX_WORDS = 200;

export function listedCalls(text: string): InnerCommand[] {
  const found: InnerCommand[] = [];
  for (const match of text.matchAll(START)) {
    const name = match[2] ?? "";
    // One that is not read is one that nobody knows.
    const isRead = found.length < MAX_CALLS;
    const program: ShellWord = { text: name, kind: isRead ? "literal" : "open" };
    const { words, isWhole } = readWords(text, match.index + match[0].length);
    found.push({
      ...{ kind: "words", words: [program, ...words], assignments: [] },
      takesMoreWords: !isWhole,
    });
    if (!isRead) break;
  }
  return found;
}

/** Up to the end of the list; a word that is no text of its own is known only when the code runs. */
function readWords(text: string, start: number): { words: ShellWord[]; isWhole: boolean } {
  const words: ShellWord[] = [];
  NEXT.lastIndex = start;
  while (words.length < MAX_WORDS) {
    const from = NEXT.lastIndex;
    const match = NEXT.exec(text);
    if (match?.[2] === undefined) {
      const rest = text.slice(from + (match?.[0].length ?? 0), from + (match?.[0].length ?? 0) + 1);
      return { words, isWhole: /^[\])};\n]?$/.test(rest) };
    }
    words.push({ text: match[2], kind: /\$\{|\{\w/.test(match[2]) ? "open" : "literal" });
    if (/^\s{0,20}[\]);]/.test(text.slice(NEXT.lastIndex, NEXT.lastIndex + 30)))
      return { words, isWhole: true };
  }
  return { words, isWhole: false };
}
