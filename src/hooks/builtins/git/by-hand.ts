// What git would be refused, done without it: `echo … > .git/refs/heads/main`.
import { effectsOf } from "../../../core/shell/effects/effects-of.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { codeOf, pathsInCode } from "../files/code-text.ts";

/** What git keeps of its own; a lock that was left behind, and the list of what is ignored, are nobody's work. */
const OWN_FILES =
  /(?:^|\/)\.git(?:\/(?:(?:refs|logs|objects|hooks|worktrees|modules)(?:\/.*)?|HEAD|ORIG_HEAD|index|config|packed-refs)?)?$|(?:^|\/)(?:\.gitconfig|git\/config|gitconfig)$/;
/** Git's own name, or that of a subcommand: what runs in its place where the line also says where programs are. */
const OWN_PROGRAMS = /(?:^|\/)git(?:-[a-z][\w-]*)?$/;

/** Of code that only reads such a file there is nothing to say. */
const WRITES =
  /["'][wax]\+?b?["']|write|rm|unlink|remove|delete|truncate|rename|replace|copy|move|open\s*\(?\s*\w+\s*,\s*["']>/i;

/** The commands of a line that change git's own files. */
export function changedByHand({ commands }: LineAnalysis): SimpleCommand[] {
  const setsPath = commands.some(({ assignments }) =>
    assignments.some(({ name }) => name === "PATH"),
  );
  const isOwn = (path: string): boolean =>
    OWN_FILES.test(path) || (setsPath && OWN_PROGRAMS.test(path));
  return commands.filter((command) => writesOwn(command, isOwn));
}

function writesOwn(command: SimpleCommand, isOwn: (path: string) => boolean): boolean {
  // Of git itself only what the shell does around it.
  const isGit = command.words[0]?.text === "git";
  const isTouched = effectsOf(isGit ? { ...command, words: [] } : command).some(
    ({ access, word, isPossible, folders }) =>
      (access === "write" || access === "delete") &&
      !isPossible &&
      folders.some((folder) => isOwn(`${folder ?? "."}/${word.text}`)),
  );
  if (isTouched) return true;
  const code = codeOf(command);
  return (
    code !== null && WRITES.test(code) && pathsInCode(code).some((path) => OWN_FILES.test(path))
  );
}
