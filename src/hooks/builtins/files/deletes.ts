// What a shell line takes away: by `rm` and its like, by emptying a file, by code given to an interpreter.

import { matchGlob } from "../../../core/project/glob.ts";
import { type CarriedCode, carriedCode } from "../../../core/shell/carried-code.ts";
import { effectsOf } from "../../../core/shell/effects/effects-of.ts";
import type { FileEffect } from "../../../core/shell/effects/file-effect.ts";
import {
  hasFlag,
  joinShellWords,
  type LineAnalysis,
  type ShellWord,
  type SimpleCommand,
} from "../../../core/shell/simple-command.ts";
import { absolutePath, openedPath, type PathContext } from "../../match/paths.ts";
import { deletesInCode } from "./code-deletes.ts";
import { codeOf } from "./code-text.ts";
import { expandGlob, globManner } from "./expand-glob.ts";
import { filesLaidOver } from "./laid-over.ts";
import type { LookLimit } from "./look-limit.ts";
import { linksMadeBy } from "./made-links.ts";
import { placeOf, readHome } from "./place-of-path.ts";

export interface DeleteTarget {
  /** Absolute, not looked up. */
  readonly path: string;
  /** Of a folder only files with one of these names; null: all of it. */
  readonly names: readonly string[] | null;
  /** The folder of which a star takes every name. */
  readonly isWhole: boolean;
  /** Looking for the names goes into folders such as `.git`. */
  readonly goesHidden?: boolean;
  /** Some of what is in it, known only when the line runs. */
  readonly isPart?: boolean;
  /** It is not deleted: this file, where it was there before, takes its place. */
  readonly over?: string;
  /** The glob it came from, absolute: it may come to stand for more before it is expanded. */
  readonly glob?: string;
}

interface LineDeletes {
  readonly targets: readonly DeleteTarget[];
  /** Commands that delete something which is known only when they run. */
  readonly unknown: readonly string[];
}

export function lineDeletes(
  line: LineAnalysis,
  context: PathContext,
  limit: LookLimit,
): LineDeletes {
  const targets: DeleteTarget[] = [];
  const unknown: string[] = [];
  // Who expands a star for `rm` may have said anywhere that hidden names count.
  const manner = { ...globManner(line.line), hidden: true };
  const unread = emptiedUnread(line);
  for (const command of line.commands) {
    for (const effect of [...lossesOf(command), ...(unread.get(command) ?? [])]) {
      limit.take(effect.folders.length, "the line");
      for (const folder of effect.folders) {
        const at = placeOf(effect, folder, context);
        const path = readHome(effect, at ?? context);
        if (at === null || path === null) unknown.push(command.text);
        else
          targets.push(
            ...targetsOf({ ...effect, word: { ...effect.word, text: path } }, at, {
              ...manner,
              limit,
            }),
          );
      }
    }
  }
  for (const { text, reader } of codeIn(line))
    for (const found of deletesInCode(text))
      if (found.path === null) unknown.push(found.call);
      else {
        const kind = found.isGlob ? "glob" : "literal";
        const use = { word: { text: found.path, kind }, names: null, isPart: false } as const;
        for (const folder of reader.folders) {
          const at = { ...context, folder: absolutePath(folder ?? ".", context) };
          targets.push(...targetsOf(use, at, { ...manner, limit }));
        }
      }
  const elsewhere = [...movedAway(line, context, targets), ...throughLinks(line, context, targets)];
  return { targets: [...targets, ...elsewhere, ...filesLaidOver(line, context)], unknown };
}

/** `ln -s draft l; rm -r l/` deletes what is in `draft`; `rm l` takes the link away. */
function throughLinks(
  line: LineAnalysis,
  context: PathContext,
  targets: readonly DeleteTarget[],
): DeleteTarget[] {
  const links = targets.length === 0 ? [] : linksMadeBy(line, context);
  if (links.length * targets.length > MAX_COMPARED)
    return targets.map(({ path }) => whole(path, context));
  const isEntered = line.commands.some(({ words }) =>
    words.some(({ text }) => /(?:[^/]|^\/)\/+[.*?[\]!]*$/.test(text)),
  );
  return targets.flatMap((target) =>
    links.flatMap(({ name, target: leads }) =>
      (isEntered && target.path === name) || target.path.startsWith(`${name}/`)
        ? [{ ...target, isWhole: false, path: leads + target.path.slice(name.length) }]
        : [],
    ),
  );
}

/** So many pairs are compared one by one; of more each counts as deleted. */
const MAX_COMPARED = 20_000;

/** `mv draft /tmp/d && rm -r /tmp/d` deletes `draft`. */
function movedAway(
  { commands }: LineAnalysis,
  context: PathContext,
  targets: readonly DeleteTarget[],
): DeleteTarget[] {
  const moves = targets.length === 0 ? [] : commands.filter(({ words }) => words[0]?.text === "mv");
  const areMany = moves.length * targets.length > MAX_COMPARED;
  return moves.flatMap((command): DeleteTarget[] => {
    const pathsOf = (wanted: FileEffect["access"]): string[] =>
      effectsOf(command).flatMap(({ access, word, folders }) =>
        access !== wanted || word.kind !== "literal"
          ? []
          : folders.map((folder) =>
              absolutePath(word.text, { ...context, folder: absolutePath(folder ?? ".", context) }),
            ),
      );
    const isDeleted =
      areMany ||
      pathsOf("write").some((into) =>
        targets.some(
          ({ path, glob }) =>
            path === into ||
            into.startsWith(`${path}/`) ||
            (glob !== undefined && matchGlob(glob, into, { style: "path" })),
        ),
      );
    return isDeleted ? pathsOf("delete").map((path) => whole(path, context)) : [];
  });
}

const whole = (path: string, context: PathContext): DeleteTarget => ({
  path: absolutePath(path, context),
  names: null,
  isWhole: false,
});

type Loss = Pick<FileEffect, "word" | "names" | "isPart">;
type TargetSearch = ReturnType<typeof globManner> & { readonly limit: LookLimit };

/** `link/../draft` is beside what the link leads to. */
function targetsOf(effect: Loss, context: PathContext, search: TargetSearch): DeleteTarget[] {
  const text = openedPath(effect.word.text, context);
  const opened = text === null ? [] : [{ ...effect, word: { ...effect.word, text } }];
  return [effect, ...opened].flatMap((each) => targetsAt(each, context, search));
}

function targetsAt(effect: Loss, context: PathContext, search: TargetSearch): DeleteTarget[] {
  const { word, names, isPart } = effect;
  if (word.kind !== "glob")
    return [{ ...whole(word.text, context), names, isPart, goesHidden: true }];
  const { files, below } = expandGlob(word.text, context, search);
  const all = /^(.*?)\/?(?:\*|\.\*|\.\?\*|\.\[!?\.\]\*|\*\*)$/s.exec(word.text)?.[1];
  const folder = word.text.startsWith("/") && all === "" ? "/" : all;
  const glob = absolutePath(word.text, context);
  return [
    ...(folder === undefined || names !== null
      ? []
      : [{ ...whole(folder || ".", context), isWhole: true }]),
    // The glob itself stands for what the line may put there first.
    ...(names === null ? [{ ...whole(glob, context), glob }] : []),
    ...files.map((path) => ({ path, names, isWhole: false })),
    ...below.map((each) => ({ path: each.folder, names: [each.name], isWhole: false })),
  ];
}

const EMPTIES = /^(truncate|dd|shred|mke2fs|mkfs(\.\w+)?|mkswap|blkdiscard|wipefs)$/;
const COPIES = /^(cat|cp|install|ln|tee|sponge)$/;
/** Who writes to one has overwritten all that is on it. */
const DISK = /^\/dev\/(?:[shv]d[a-z]|xvd|nvme|mmcblk|mapper\/|dm-|r?disk\d|md\d)/;
const NOTHING = "/dev/null";

/** A file that is moved is still there; one that is emptied is not. */
function lossesOf(command: SimpleCommand): FileEffect[] {
  const effects = effectsOf(command);
  const name = command.words[0]?.text ?? "";
  const texts = command.words.map(({ text }) => text);
  // What git deletes is the business of its own guard.
  if (name === "git") return [];
  const emptied = isIdle(command.words)
    ? effectsOf({ ...command, words: [] }).filter(isEmptied)
    : [];
  if (name === "mv") return texts.includes(NOTHING) ? effects.filter(isDelete) : emptied;
  const readsNothing = effects.some(
    ({ access, word }) => access === "read" && word.text === NOTHING,
  );
  const isNothing = COPIES.test(name) && (readsNothing || readsEmptyText(command));
  const isReplaced = name === "ln" && hasFlag(texts.slice(1), "f", "force");
  const empties = EMPTIES.test(name) || isNothing || isReplaced || deletesAllLines(texts);
  const lost = effects.filter((effect) => isDelete(effect) || (empties && isEmptied(effect)));
  return empties ? lost : [...lost, ...emptied];
}

/** `sed -i d`, `sed -i '1,$d'`. */
const deletesAllLines = ([program = "", ...args]: readonly string[]): boolean =>
  /^g?sed$/.test(program) &&
  args.some((arg) => /^-([nEr]*i|-in)/.test(arg)) &&
  args.some((arg) => /^(1,\$|\/\.\*?\/)?[dQ]$/.test(arg));

/** `sort a > a`, `cat a | jq . > a`: the shell empties the file before anything has read it. */
function emptiedUnread({ commands, line }: LineAnalysis): Map<SimpleCommand, FileEffect[]> {
  const found = new Map<SimpleCommand, FileEffect[]>();
  const twice = namedTwiceInPipes(line);
  const read = new Set<string>();
  for (const command of commands) {
    const own = new Set<string>();
    for (const { access, word } of effectsOf(command)) if (access === "read") own.add(word.text);
    const isUnread = ({ word: { text } }: FileEffect): boolean =>
      own.has(text) || (read.has(text) && twice.has(text));
    const written = effectsOf({ ...command, words: [], assignments: [] }).filter(isEmptied);
    if (command.words[0]?.text !== "git") found.set(command, written.filter(isUnread));
    for (const text of own) read.add(text);
  }
  return found;
}

/** The words that stand in one pipeline more than once. */
function namedTwiceInPipes(line: string): ReadonlySet<string> {
  const twice = new Set<string>();
  for (const part of line.split(/;|&&|\|\||\n/)) {
    const seen = new Set<string>();
    for (const word of part.includes("|") ? part.split(/[\s|<>"']+/) : [])
      (seen.has(word) ? twice : seen).add(word);
  }
  return twice;
}

const isEmptied = ({ access, word }: FileEffect): boolean =>
  access === "write" && !LOSES_NOTHING.test(word.text);

/** A here-document without a line. */
const readsEmptyText = ({ words, redirections }: SimpleCommand): boolean =>
  (words[0]?.text === "tee" || words.length === 1) &&
  redirections.some((each) => each.kind === "text" && each.body.text === "");

/** `kill 7 2>/dev/null`: devices that hold nothing. To delete one is another thing. */
const LOSES_NOTHING = /^\/dev\/(null|zero|full|stdin|stdout|stderr|tty|fd\/\d+)$/;

const isDelete = ({ access, word, isPossible }: FileEffect): boolean =>
  access === "delete" || (access === "write" && !isPossible && DISK.test(word.text));

/** `> file`, `: > file`, `exec 3> file` and `printf '' > file`. */
const isIdle = (words: readonly ShellWord[]): boolean =>
  words.length === 0 ||
  SILENT.has(words[0]?.text ?? "") ||
  /^(echo( -[neE]+)* -[neE]*n[neE]*( -[neE]+)*|printf( --)?( (%[sb])+)*)\s*$/.test(
    joinShellWords(words),
  );
/** They print nothing, or hardly, whatever they are told: of what they write themselves nothing is said here. */
const SILENT: ReadonlySet<string> = new Set(
  ": true false exec sleep cd test [ wait shift unset export readonly mkdir touch chmod kill let declare typeset local hash umask shopt set trap unalias return break continue mv cp ln sync".split(
    " ",
  ),
);

/** Their languages open files but delete none; the lines that they hand to a shell are read as lines. */
const DELETES_NOTHING = /^(jq|sqlite3|psql|mysql|mariadb|duckdb)$/;

const codeIn = ({ commands }: LineAnalysis): CarriedCode[] => [
  ...carriedCode(commands),
  ...commands.flatMap((command) => {
    const text = codeOf(command);
    const isCode = text !== null && !DELETES_NOTHING.test(command.words[0]?.text ?? "");
    return isCode ? [{ text, reader: command }] : [];
  }),
];
