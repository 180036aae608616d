// What git has of a file, put by something else over changes that are not committed: `git show HEAD:a > a` and
// `git show HEAD:a | tee a` are `git checkout HEAD a`, `git archive HEAD | tar x` is `git checkout HEAD .`.
import { basename, resolve } from "node:path";
import { effectsOf } from "../../../core/shell/effects/effects-of.ts";
import type { FileEffect } from "../../../core/shell/effects/file-effect.ts";
import { anyOf, type GitHazard, hazard, isClean } from "../../../core/shell/git/hazard.ts";
import type { GitCall } from "../../../core/shell/git-call.ts";
import {
  hasFlag,
  type LineAnalysis,
  type SimpleCommand,
} from "../../../core/shell/simple-command.ts";

/** By the shell, of a call of git. Of a file that git does not know it is a copy. */
export const overwrittenBy = (command: SimpleCommand, folder: string | null): GitHazard[] =>
  effectsOf({ ...command, words: [] }).flatMap(({ access, word }) =>
    access === "write" && word.kind === "literal" ? [losesChanges(word, folder)] : [],
  );

const PRINTS_PATCH = /^(diff(-index|-tree|-files)?|format-patch|log|show|stash)$/;
/** What git prints here may be put over a file. */
export const PRINTS_CONTENT =
  /^(diff(-index|-tree|-files)?|format-patch|log|show|stash|cat-file|archive)$/;

interface BroughtBack {
  readonly by: SimpleCommand;
  hazardIn(folder: string | null): GitHazard;
}

/** By the other commands of a line with these calls of git, of which `first` prints something first. */
export function broughtBack(
  calls: readonly GitCall[],
  { line, commands }: LineAnalysis,
  first: SimpleCommand,
): BroughtBack[] {
  const called = (verbs: RegExp): string[][] =>
    calls.flatMap(({ subcommand, args }) =>
      verbs.test(subcommand ?? "") ? [args.map(({ text }) => text)] : [],
    );
  const words = called(/^(show|cat-file)$/).flat();
  const files = words.flatMap((word) => FILE_OF_COMMIT.exec(word)?.[1] ?? []);
  const shown: Shown = { names: new Set(files.map((file) => basename(file))), files };
  const isArchived = called(/^archive$/).length > 0;
  const patches = called(PRINTS_PATCH);
  const isBackwards = patches.some((args) => args.includes("-R"));
  // A command stands before what is substituted in it, and before what is grouped under its redirection.
  const at = /\$\(|`|<\(/.test(line) ? 0 : commands.indexOf(first);
  const behind = commands.filter(({ words }, index) => index >= at || words.length === 0);
  return behind.flatMap((by): BroughtBack[] => {
    const isGit = by.words[0]?.text === "git";
    if (!isGit && patches.length > 0 && isReversed(by, isBackwards))
      return [{ by, hazardIn: () => TAKEN_BACK }];
    const effects = effectsOf(isGit ? { ...by, words: [] } : by);
    const read = new Set(
      effects.flatMap(({ access, word }) => (access === "read" ? word.text : [])),
    );
    // What reads the file as well edits it.
    const isPut = ({ access, word, isPossible, isUnpacked }: FileEffect): boolean =>
      isUnpacked
        ? isArchived && word.kind === "literal"
        : access === "write" && !isPossible && !read.has(word.text) && isShown(word, shown);
    return effects
      .filter(isPut)
      .map(({ word }) => ({ by, hazardIn: (folder) => losesChanges(word, folder) }));
  });
}

/** `HEAD:dir/a`, `:a`, `:2:a`. */
const FILE_OF_COMMIT = /^(?!-)[^:]*(?::\d)?:([^:]+)$/;

interface Shown {
  readonly names: ReadonlySet<string>;
  readonly files: readonly string[];
}

/** By its name, wherever it lay in between: `git show HEAD:a > /tmp/x; mv /tmp/x a`. */
const isShown = ({ text, kind }: FileEffect["word"], { names, files }: Shown): boolean =>
  kind === "literal"
    ? names.has(basename(text))
    : text !== "" && files.slice(0, MAX_COMPARED).some((file) => file.endsWith(text));
const MAX_COMPARED = 100;

const TAKEN_BACK = hazard(
  "discard",
  "a patch takes back changes that are not committed",
  isClean("tracked"),
);

const isReversed = ({ words }: SimpleCommand, isBackwards: boolean): boolean => {
  if (words[0]?.text !== "patch") return false;
  const own = words.slice(1).map(({ text }) => text);
  return (isBackwards || hasFlag(own, "R", "reverse")) && !hasFlag(own, "", "dry-run");
};

function losesChanges({ text, kind }: FileEffect["word"], folder: string | null): GitHazard {
  if (kind !== "literal")
    return hazard("discard", `changes of \`${text}\` may be overwritten`, isClean("tracked"));
  const path = folder === null ? text : resolve(folder, text);
  const isHarmless = anyOf({ kind: "absent", path }, isClean("tracked", [path]));
  return hazard("discard", `changes of \`${text}\` are overwritten`, isHarmless);
}
