// Shell lines that stand inside the text of another program: `system("…")` of awk, `e …` of sed, `!…` of an editor, the
// actions of tar, and whatever looks like a command among the words of a program that nobody has described.
import { GIT_SUBCOMMANDS } from "../git/subcommands.ts";
import { isInterpreter } from "../interpreters.ts";
import type { InnerCommand, ShellWord, SimpleCommand } from "../simple-command.ts";
import { listedCalls } from "./listed-words.ts";

/** Longer texts are not searched: what they run is unseen. */
const MAX_TEXT = 20_000;

const AWK_LINES = [
  /\bsystem\s{0,9}\(\s{0,9}"((?:[^"\\]|\\.){1,2000})"\s{0,9}(?<more>[^)\s]?)/gs,
  /(?<!\|)\|&?\s{0,9}"((?:[^"\\]|\\.){1,2000})"/gs,
  /"((?:[^"\\]|\\.){1,2000})"\s{0,9}\|&?\s{0,9}getline\b/gs,
];

/** What stands in quotes; a line that is put together when it runs is not seen. */
export const unwrapAwk = (command: SimpleCommand): InnerCommand[] =>
  linesIn(command, textsOf(command), AWK_LINES, (line) => line.replace(/\\(["\\/])/g, "$1"));

const SED_LINES = [
  /(?:^|[\n;{}0-9$/,!])\s{0,9}e[ \t]{1,9}([^\n]{1,2000})/g,
  // `s/x/git push/e` runs what it has put in.
  /s(?<mark>[^\w\s\\])(?:(?!\k<mark>)[^\\\n]|\\.){0,500}\k<mark>(?<line>(?:(?!\k<mark>)[^\\\n]|\\.){1,2000})\k<mark>[gpiIM0-9]{0,9}e/g,
];
/** `e` alone runs the lines that it is given. */
const SED_RUNS_RESULT = /s([^\w\s\\])[^\n]{0,500}?\1[^\n]{0,500}?\1[gpiIM0-9]{0,9}e(?:$|[\s;}])/;
const SED_RUNS_INPUT = /(?:^|[\n;{}0-9$!])\s{0,9}e\s{0,9}(?:$|[\n;}])/;

export function unwrapSed(command: SimpleCommand): InnerCommand[] {
  const script = wordsOf(command).find(({ text }) => !text.startsWith("-"))?.text ?? "";
  const isShort = script.length <= MAX_TEXT;
  const input: InnerCommand[] = [];
  if (isShort && SED_RUNS_INPUT.test(script)) input.push({ kind: "unseen", what: command.text });
  if (isShort && SED_RUNS_RESULT.test(script))
    input.push({ kind: "unseen", why: "written-script", what: command.text });
  return [...linesIn(command, textsOf(command), SED_LINES), ...input];
}

const EDITOR_LINES = [
  /^[%\d,$.]{0,20}(?:sil(?:ent)?!?\s{1,9})?(?:(?:r|w|read|write)\s{1,9})?!(.{1,2000})$/gms,
  // Of gdb.
  /^shell\s{1,9}(.{1,2000})$/gms,
  /^(?:pipe|\|)\s[^|]{0,500}\|(.{1,2000})$/gms,
];

/** Of vim, ex and ed: `+!make`, `-c '%!sort'`, and what they are told on their standard input. */
export const unwrapEditor = (command: SimpleCommand): InnerCommand[] => {
  const told = wordsOf(command).map(({ text, kind }) => ({
    kind,
    text: text.replace(/^(?:\+|-c|--cmd=?)?:?/, ""),
  }));
  const typed = command.redirections.flatMap((each) =>
    each.kind === "text"
      ? each.body.text.split("\n").map((text) => ({ text, kind: each.body.kind }))
      : [],
  );
  return linesIn(command, [...told, ...typed], EDITOR_LINES);
};

const TAR_OPTION =
  /^--(?:checkpoint-action|to-command|use-compress-program|info-script|new-volume-script|rsh-command|rmt-command)(?:=(.*))?$/s;
const TAR_LETTER = /^-?[a-zA-Z]{0,20}[IF]$/;

/** What tar starts for each file, each checkpoint, or to compress. */
export function unwrapTar({ words }: SimpleCommand): InnerCommand[] {
  return words.flatMap((word, index): InnerCommand[] => {
    const long = TAR_OPTION.exec(word.text);
    const isSpaced =
      long === null ? index > 0 && TAR_LETTER.test(word.text) : long[1] === undefined;
    const value = isSpaced ? words[index + 1] : { text: long?.[1] ?? "", kind: word.kind };
    const text = value?.text.replace(/^exec=/, "") ?? "";
    return value === undefined || text === "" ? [] : [{ kind: "text", text: { ...value, text } }];
  });
}

const wordsOf = ({ words }: SimpleCommand): readonly ShellWord[] => words.slice(1);

/** With what it is told on its standard input: `awk -f - <<E`. */
const textsOf = (command: SimpleCommand): readonly ShellWord[] => [
  ...wordsOf(command),
  ...command.redirections.flatMap((each) => (each.kind === "text" ? [each.body] : [])),
];

function linesIn(
  command: SimpleCommand,
  words: readonly ShellWord[],
  patterns: readonly RegExp[],
  unquote: (line: string) => string = (line) => line,
): InnerCommand[] {
  const texts = words.filter(({ kind }) => kind !== "glob");
  if (texts.some(({ text }) => text.length > MAX_TEXT))
    return [{ kind: "unseen", what: command.text }];
  return texts.flatMap(({ text, kind }) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(
        ({ 1: line = "", groups }): InnerCommand => ({
          kind: "text",
          // What is put behind it is known only when it runs.
          text: { text: `${unquote(groups?.line ?? line)}${groups?.more ? "$_" : ""}`, kind },
        }),
      ),
    ),
  );
}

// Programs that run others are more than any table has: `tmux new 'git push -f'`, `entr git push -f`, `split --filter=…`.

/** Their words are names, patterns or prose, and run nothing. */
const WORDS_ONLY: ReadonlySet<string> = new Set(
  `echo printf grep egrep fgrep zgrep rg ag ack gh glab adj test [ [[ export declare typeset local readonly set unset read
   which type whereis man whatis apropos tldr help jq yq ls cat head tail wc diff cmp perl-rename
   jest vitest mocha ava tap pytest playwright cypress karma cargo go deno dotnet mvn gradle rspec phpunit npm pnpm yarn bun
   apt apt-get brew dnf yum apk pacman pip pip3 pipx uv gem snap flatpak port choco winget scoop asdf touch mkdir cd
   pushd codespell aspell vale prettier eslint biome tee sponge cp mv ln chmod chown claude codex gemini qwen copilot
   opencode cursor-agent amp goose aider say notify-send wall logger mail cowsay banner figlet true false : let`.split(
    /\s+/,
  ),
);

/** Whether the words of this program are names, patterns or prose. */
export const saysWordsOnly = (program: string): boolean => WORDS_ONLY.has(program);

/** What is worth finding inside of other words: programs that a guard has something to say about. */
const NOTED = `git|rm|rmdir|unlink|shred|truncate|dd|find|xargs|curl|wget|nc|ncat|ssh|scp|rsync|sudo|doas|env|adj|cat|less|head|tail|cp|mv|tee|base64|tar|source|bash|sh|zsh|dash`;
const NOTED_WORD =
  /^(?:\/[\w./-]{0,200}\/)?(?:git|rm|unlink|shred|curl|wget|nc|ncat|ssh|sudo|doas|adj|bash|sh|zsh|dash)$/;
/** At the beginning of a text, behind what opens a text or a call, or behind a word that says that something is run. */
const NOTED_LINE = new RegExp(
  `(?:^|(?:[=:!;\`"'&{]|(?<![$<>])\\()\\s{0,3}|["']\\|\\s{0,3}|\\s\\||%[wW]\\[\\s{0,3}|\\b(?:shell|system|exec|spawn|COMMAND)\\s{1,3}|^(?:\\S{1,20}\\s{1,3}){5})` +
    `((?:/[\\w./-]{0,60}/)?(?:${NOTED})\\s[^\\n]{1,2000})`,
  "gm",
);
const MAX_LINES = 50;

/** Words that are a command, and texts with one in them. What only looks like one is judged all the same: it is read, not run. */
export function unwrapUndescribed(command: SimpleCommand): InnerCommand[] {
  const [first] = command.words;
  if (first === undefined) return [];
  if (isInterpreter(first.text) && !RUNS_LINES.test(first.text))
    return [...namedCommand(command), ...linesInCode(textsOf(command))];
  if (!WORDS_ONLY.has(first.text))
    return [...namedCommand(command), ...linesInTexts(textsOf(command))];
  const { words } = command;
  const isAlias = /^(gh|glab)$/.test(first.text) && words[1]?.text === "alias";
  const lines = isAlias ? words : words.filter((word, index) => isProgram(word, words[index - 1]));
  const run = findRun(words);
  return [
    ...linesInTexts([...lines, ...run.slice(1)]),
    ...namedCommand({ ...command, words: run }),
  ];
}

/** What code in another language starts: lines that it hands to a shell, and programs with their words in a list. */
export const linesInCode = (texts: readonly ShellWord[]): InnerCommand[] =>
  texts.some(({ text }) => STARTS_PROGRAMS.test(text))
    ? [...linesInTexts(texts), ...texts.flatMap(({ text }) => listedCalls(text))]
    : [];

/** Code that prints `rm -rf` runs nothing. */
const STARTS_PROGRAMS =
  /(?:system|exec|spawn|popen|proc_open|Command|subprocess|shell|callCommand|check_call|check_output|syscmd|passthru|qx|%x|Open3|call|run)|[`!]|["']\s{0,9}\||\|\s{0,9}["']|open[^\n]{0,60}\|/i;
/** Their text is lines for a shell already. */
const RUNS_LINES = /^(g?make|pwsh|powershell)$/;

const RUNS_NEXT = /^(exec|dlx|x)$/;

/** Where what these run begins: `pnpm -r exec git push`, and `pnpm git push`, for what is no verb of theirs is a program. */
function findRun([first, second, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  if (first === undefined || second === undefined) return [];
  if (!/^(npm|pnpm|yarn|bun)$/.test(first.text)) return [];
  if (/^(pnpm|yarn)$/.test(first.text) && /^(git|sudo|bash|sh|curl|wget)$/.test(second.text))
    return [first, second, ...rest];
  const at = rest.findIndex(({ text }) => RUNS_NEXT.test(text));
  return at === -1 ? [] : rest.slice(at);
}

const PROGRAM_OPTION =
  /^(-P|-s|--?(pager|exec|toolexec|pre|preview|config|filter|run|call|(test|lint)-cmd)|-{0,2}(script-shell|editor))$/;

/** `go test -exec '…'`, `npm pkg set scripts.x='…'`, `gh alias set x '!…'`, `apt -o APT::Update::Pre-Invoke::='…'`. */
const isProgram = ({ text }: ShellWord, before: ShellWord | undefined): boolean =>
  PROGRAM_OPTION.test(before?.text ?? "") ||
  PROGRAM_OPTION.test(/^(--?[\w-]+)=/.exec(text)?.[1] ?? "") ||
  /^(scripts\.\S+?=|!|[\w:-]{1,80}-Invoke[:\w]*=)/.test(text);

/** `docker rm -f x`, `terraform state rm x`: a verb of theirs is called like a program. */
const HAS_VERBS = /^(docker|docker-compose|podman|nerdctl|terraform|tofu|pulumi|ollama|vercel)$/;
const VERB_GROUP =
  /^(-.*|[\w./-]+\.ya?ml|compose|container|image|volume|network|context|buildx|builder|stack|service|secret|config|node|plugin|state)$/;

/** Where the verb of such a program stands; 0 where it is no such program. */
function verbPlace([first, ...rest]: readonly ShellWord[]): number {
  if (!HAS_VERBS.test(first?.text ?? "")) return 0;
  const at = rest.findIndex(({ text, kind }) => kind !== "literal" || !VERB_GROUP.test(text));
  return at !== -1 && rest[at]?.text === "rm" ? at + 1 : 0;
}

/** `entr git push`, `start-stop-daemon --exec /usr/bin/git -- push`. */
function namedCommand({ words, takesMoreWords }: SimpleCommand): InnerCommand[] {
  const own = verbPlace(words);
  const at = words.findIndex(
    ({ text, kind }, index) => index > own && kind === "literal" && NOTED_WORD.test(text),
  );
  const program = words[at];
  if (program === undefined) return [];
  const rest = words.slice(at + 1);
  const args = rest[0]?.text === "--" ? rest.slice(1) : rest;
  const isGit = /(^|\/)git$/.test(program.text);
  const [next] = args;
  if (next === undefined || (isGit && !/^-/.test(next.text) && !GIT_SUBCOMMANDS.has(next.text)))
    return [];
  return [{ kind: "words", words: [program, ...args], assignments: [], takesMoreWords }];
}

function linesInTexts(texts: readonly ShellWord[]): InnerCommand[] {
  const found: InnerCommand[] = [];
  for (const { text: whole, kind } of texts) {
    for (const match of whole.matchAll(NOTED_LINE)) {
      const line = match[1] ?? "";
      const opening = match[0].slice(0, -line.length).trimEnd();
      // `".import |curl …"`: the quote stands before the mark of a pipe.
      const before = /["']\|$/.test(opening) ? opening.at(-2) : match[0].at(-line.length - 1);
      // A substitution is read where the line itself is.
      if (kind === "open" && before === "`") continue;
      // Perl has the mark behind what it reads from.
      const text = cutAtQuote(line, before).replace(/\|\s{0,3}$/, "");
      const cut = { text, kind: "literal" as const };
      // One that is not read is one that nobody knows.
      if (found.length === MAX_LINES) return [...found, { kind: "unseen", what: cut.text }];
      found.push({ kind: "text", text: cut, isGuess: true });
    }
  }
  return found;
}

/** Up to the quote, or the bracket, that was opened before it. */
function cutAtQuote(line: string, before: string | undefined): string {
  // `execute_process(COMMAND curl …)`: what the bracket belongs to stands further in front.
  const isInside = before === "(" || (/\s/.test(before ?? "") && !line.includes("("));
  const close = isInside ? ")" : before?.replace("[", "]");
  const end = close !== undefined && /["'`)\]]/.test(close) ? line.indexOf(close) : -1;
  // `open F, "rm x |"` of Perl.
  return end === -1 ? line : line.slice(0, end).replace(/\s{0,9}\|$/, "");
}
