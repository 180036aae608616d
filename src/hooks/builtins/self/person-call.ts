// Whether a shell line calls this program for something that only a person may do.
import { realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { isPersonLine } from "../../../core/command/person.ts";
import { analyzeLine } from "../../../core/shell/analyze-line.ts";
import { carriedCode } from "../../../core/shell/carried-code.ts";
import type { LineAnalysis, ShellWord, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { absolutePath, type PathContext } from "../../match/paths.ts";
import { codeOf } from "../files/code-text.ts";

export interface CallContext extends PathContext {
  /** The folders that programs are looked for in. */
  readonly searchPath: string | undefined;
}

/** The call as it stands in the line; null where there is none. */
export function findPersonCall(line: LineAnalysis, context: CallContext, depth = 0): string | null {
  for (const command of line.commands) {
    const words = wordsBehindProgram(command, context);
    if (words !== null && isPersonLine(words)) return command.text;
  }
  for (const code of codesIn(line)) if (isPersonCode(code)) return code.trim().slice(0, 200);
  const isCarried = depth < MAX_DEPTH && line.commands.some(isCarrier);
  for (const text of isCarried ? line.commands.flatMap(textsOf) : []) {
    const inner = findPersonCall(analyzeLine(text), context, depth + 1);
    if (inner !== null) return inner;
  }
  return null;
}

const MAX_DEPTH = 3;

const textOf = ({ text, kind }: ShellWord): string | null => (kind === "open" ? null : text);

/** Null where the command is not this program, by whatever name and through whatever runner. */
function wordsBehindProgram(
  { words, takesMoreWords }: SimpleCommand,
  context: CallContext,
): (string | null)[] | null {
  const [first, ...rest] = words;
  if (first === undefined) return null;
  // `xargs adj` adds words that nobody knows.
  const more = takesMoreWords ? [null] : [];
  const virtual = /^adj-([a-z][a-z0-9-]*)$/.exec(basename(first.text))?.[1];
  if (virtual !== undefined && virtual !== "hook")
    return ["run", virtual, ...rest.map(textOf), ...more];
  if (isOwnProgram(first, context)) return [...rest.map(textOf), ...more];
  if (isLinkedName(first, rest, context)) return rest.map(textOf);
  if (!RUNNERS.test(basename(first.text))) return null;
  const at = rest.findIndex((word) => isOwnProgram(word, context) || PACKAGE.test(word.text));
  if (at === -1) return null;
  const behind = rest.slice(at + 1).filter(({ text }) => !NO_WORD.test(text));
  return skipEnd(behind).map(textOf);
}

/** Programs that run another one that stands among their words. */
const RUNNERS =
  /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun|deno|nix|node|nodejs|tsx|sh|bash|dash|zsh|ksh|source|\.|busybox|systemd-run|docker|podman|ssh|su|runuser|doas|at|batch|tmux|screen|script|expect|unshare|nsenter|chroot|bwrap|firejail|strace|ltrace|gdb|watch|parallel|entr|flock)$/;
const PACKAGE = /^(?:npm:|nixpkgs#)?adjutant(?:@[\w.^~-]+)?(?:\/adj)?$/;
/** What `parallel` and `tmux send-keys` have between words. */
const NO_WORD = /^(?::::\+?|::::|Space|Enter|Tab|C-[jm]|\s*)$/;

const skipEnd = (words: readonly ShellWord[]): readonly ShellWord[] =>
  words[0]?.text === "--" ? words.slice(1) : words;

const NAMES = /^adj(?:\.[cm]?js)?$/;

/** By its name, or by a link or path that leads to where this very program lies. */
function isOwnProgram({ text, kind }: ShellWord, context: PathContext): boolean {
  // `$(which adj)`
  if (kind === "open") return /\badj[\s)`"']*$/.test(text);
  if (NAMES.test(basename(text))) return true;
  return text.includes("/") && leadsHere(absolutePath(text, context));
}

/** A name under which it was put on the search path; looked up only where its words would be a person's. */
function isLinkedName(
  { text, kind }: ShellWord,
  rest: readonly ShellWord[],
  { searchPath = "" }: CallContext,
): boolean {
  if (kind !== "literal" || text.includes("/") || !isPersonLine(rest.map(textOf))) return false;
  return searchPath.split(delimiter).some((folder) => leadsHere(join(folder, text)));
}

function leadsHere(file: string): boolean {
  try {
    const path = realpathSync.native(file);
    return NAMES.test(basename(path)) || dirname(path) === OWN_FOLDER;
  } catch {
    return false;
  }
}

const OWN_FOLDER = dirname(process.argv[1] ?? "/");

/** What the line gives to interpreters of other languages. */
const codesIn = ({ commands }: LineAnalysis): string[] => [
  ...commands.flatMap((command) => codeOf(command) ?? []),
  ...carriedCode(commands).map(({ text }) => text),
];

const QUOTED = /(["'`])((?:(?!\1)[^\\\n]){1,300})\1/g;
const MAX_WORDS = 2_000;

/** `["adj", "trust"]`, `passthru("adj trust")`: its name as a text of its own, and a person's words as the next ones. */
function isPersonCode(code: string): boolean {
  if (!/\badj\b/.test(code)) return false;
  const words = [...code.matchAll(QUOTED)]
    .slice(0, MAX_WORDS)
    .flatMap(([, , text = ""]) => text.trim().split(/\s+/));
  return words.some(
    (word, at) => NAMES.test(basename(word)) && isPersonLine(words.slice(at + 1, at + 40)),
  );
}

/** Lines that a program is told to have run by somebody else: in a terminal, later, or on another machine. */
const CARRIERS =
  /^(?:tmux|screen|zellij|at|batch|crontab|systemd-run|script|expect|ssh|su|runuser|docker|podman|osascript|xdotool|wtype|ydotool)$/;
/** Files whose lines are run later. */
const LATER =
  /\/(?:cron(?:tabs?|\.\w+)?|systemd\/(?:user|system)|autostart|Launch(?:Agents|Daemons))\//;

/** What a tool writes into such a file, as far as it names this program. */
export const laterLines = (paths: readonly string[], texts: readonly string[]): string[] =>
  paths.some((path) => LATER.test(path))
    ? texts
        .flatMap((text) => text.split("\n"))
        .filter((text) => /\badj\b/.test(text))
        .slice(0, MAX_LATER)
        .map((text) => text.slice(text.search(/\badj\b/)))
    : [];

const MAX_LATER = 200;

/** Also by a file that somebody else runs: `echo … > /etc/cron.d/x`. */
export const isCarrier = ({ words, redirections }: SimpleCommand): boolean =>
  CARRIERS.test(basename(words[0]?.text ?? "")) ||
  redirections.some((each) => each.kind === "file" && each.writes && LATER.test(each.target.text));

/** Also of the other commands of the line: `echo … | at now`. */
function textsOf({ words, redirections }: SimpleCommand): string[] {
  const bodies = redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : []));
  const texts = [...words.slice(1).map(({ text }) => text), ...bodies].map((text) =>
    text.replace(/\\[nr]|\^M/g, "\n"),
  );
  const lines = texts.filter((text) => /\badj\b/.test(text) && /\s/.test(text));
  // Before a job of cron stands when it is run.
  return lines.flatMap((text) => [text, text.slice(text.search(/\badj\b/))]);
}
