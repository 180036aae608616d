// Whether a shell line calls this program for something that only a person may do.
import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isPersonLine } from "../../core/command/person.ts";
import { analyzeLine } from "../../core/shell/analyze-line.ts";
import type { LineAnalysis, ShellWord, SimpleCommand } from "../../core/shell/simple-command.ts";
import { absolutePath, type PathContext } from "../match/paths.ts";

/** The call as it stands in the line; null where there is none. */
export function findPersonCall(line: LineAnalysis, context: PathContext, depth = 0): string | null {
  for (const command of line.commands) {
    const words = wordsBehindProgram(command, context);
    if (words !== null && isPersonLine(words)) return command.text;
  }
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
  { words }: SimpleCommand,
  context: PathContext,
): (string | null)[] | null {
  const [first, ...rest] = words;
  if (first === undefined) return null;
  const virtual = /^adj-([a-z][a-z0-9-]*)$/.exec(basename(first.text))?.[1];
  if (virtual !== undefined && virtual !== "hook") return ["run", virtual, ...rest.map(textOf)];
  if (isOwnProgram(first, context)) return rest.map(textOf);
  if (!RUNNERS.test(basename(first.text))) return null;
  const at = rest.findIndex((word) => isOwnProgram(word, context) || PACKAGE.test(word.text));
  return at === -1 ? null : skipEnd(rest.slice(at + 1)).map(textOf);
}

/** Programs that run another one that stands among their words. */
const RUNNERS =
  /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun|deno|node|nodejs|tsx|sh|bash|dash|zsh|ksh|busybox|systemd-run|docker|podman|ssh|su|runuser|doas|at|batch|tmux|screen|script|expect|unshare|nsenter|chroot|bwrap|firejail|strace|ltrace|gdb|watch|parallel|entr|flock)$/;
const PACKAGE = /^adjutant(?:@[\w.^~-]+)?$/;

const skipEnd = (words: readonly ShellWord[]): readonly ShellWord[] =>
  words[0]?.text === "--" ? words.slice(1) : words;

const NAMES = /^adj(?:\.[cm]?js)?$/;

/** By its name, or by a link or path that leads to where this very program lies. */
function isOwnProgram({ text, kind }: ShellWord, context: PathContext): boolean {
  if (kind === "open") return false;
  if (NAMES.test(basename(text))) return true;
  if (!text.includes("/")) return false;
  try {
    const path = realpathSync.native(absolutePath(text, context));
    return NAMES.test(basename(path)) || dirname(path) === OWN_FOLDER;
  } catch {
    return false;
  }
}

const OWN_FOLDER = dirname(process.argv[1] ?? "/");

/** Lines that a program is told to have run by somebody else: in a terminal, later, or on another machine. */
const CARRIERS =
  /^(?:tmux|screen|zellij|at|batch|crontab|systemd-run|script|expect|ssh|su|runuser|docker|podman|osascript|xdotool|wtype|ydotool)$/;

const isCarrier = ({ words }: SimpleCommand): boolean =>
  CARRIERS.test(basename(words[0]?.text ?? ""));

/** Also of the other commands of the line: `echo … | at now`. */
function textsOf({ words, redirections }: SimpleCommand): string[] {
  const bodies = redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : []));
  const texts = [...words.slice(1).map(({ text }) => text), ...bodies];
  return texts.filter((text) => /\badj\b/.test(text) && /\s/.test(text));
}
