// Commands that a rule names and that stand among the words of a program which nobody has described, or in the code of an
// interpreter: `aws-vault exec p -- terraform apply`, `os.system("npm publish")`.
import { basename } from "node:path";
import { readsProgramText } from "../../core/shell/interpreters.ts";
import {
  joinShellWords,
  type ShellWord,
  type SimpleCommand,
} from "../../core/shell/simple-command.ts";
import { saysWordsOnly } from "../../core/shell/wrappers/unwrap-text.ts";

/** Their names are verbs of other programs, and what the analysis of a line looks for itself: `docker rm`, `npm rm`. */
const FOUND_ELSEWHERE =
  /^(?:git|rm|rmdir|unlink|shred|curl|wget|nc|ncat|ssh|sudo|doas|adj|bash|sh|zsh|dash|test|run|exec|[*?[{\\].*)$/;

/** The program that a glob begins with; null where the analysis of a line finds it, or where there is none. */
const programOf = (glob: string): string | null => {
  const program = /^[\w.-]+(?= )/.exec(glob)?.[0] ?? null;
  return program === null || FOUND_ELSEWHERE.test(program) ? null : program;
};

export function findNamedCommands(
  commands: readonly SimpleCommand[],
  globs: readonly string[],
): SimpleCommand[] {
  const programs = [...new Set(globs.flatMap((glob) => programOf(glob) ?? []))];
  if (programs.length === 0) return [];
  return commands
    .filter(({ words }) => words.length > 1 && !saysWordsOnly(words[0]?.text ?? ""))
    .flatMap((command) => [...inWords(command, programs), ...inCode(command, programs)]);
}

function inWords(command: SimpleCommand, programs: readonly string[]): SimpleCommand[] {
  const at = command.words.findIndex((word, index) => index > 0 && programs.includes(nameOf(word)));
  const program = command.words[at];
  if (program === undefined) return [];
  const rest = command.words.slice(at + 1);
  const args = rest[0]?.text === "--" ? rest.slice(1) : rest;
  return [withWords(command, [{ text: nameOf(program), kind: "literal" }, ...args])];
}

/** `$(which npm)`, `npm@latest`, `/usr/bin/npm`, `/x/npm-cli.js`; an image whose program it is: `hashicorp/terraform:1.9`. */
const nameOf = ({ text, kind }: ShellWord): string =>
  kind === "open"
    ? (/^\$\((?:which|command -v|type -p) ([\w.-]+)\)$/.exec(text)?.[1] ?? "")
    : basename(text).replace(/(?:[@:][\w.^~-]+|-cli\.js|\.exe)$/, "");

const MAX_CODE = 20_000;
const MAX_CALLS = 20;

function inCode(command: SimpleCommand, programs: readonly string[]): SimpleCommand[] {
  if (!readsProgramText(command)) return [];
  const bodies = command.redirections.flatMap((each) =>
    each.kind === "text" ? [each.body.text] : [],
  );
  const code = [...command.words.slice(1).map(({ text }) => text), ...bodies].join("\n");
  return programs.flatMap((program) => {
    const start = new RegExp(`(?<![\\w.-])${program.replaceAll(".", "\\.")}(?=["'\\s])`, "g");
    return [...code.slice(0, MAX_CODE).matchAll(start)].slice(0, MAX_CALLS).map((match) => {
      const rest =
        code.slice(match.index, match.index + 500).split(/["'`]?\s*[)\]};]|\n/, 1)[0] ?? "";
      const words = rest.split(/[\s"'`,]+/).filter((word) => word !== "");
      return withWords(
        command,
        words.map((text) => ({ text, kind: "literal" })),
      );
    });
  });
}

const withWords = (command: SimpleCommand, words: readonly ShellWord[]): SimpleCommand => {
  const text = joinShellWords(words);
  return { ...command, words, text, typed: text, redirections: [], form: "unwrapped" };
};
