// Goes through everything that an argv or a shell line runs, wrappers and nested lines taken off, and puts other paths in
// the place of those that it executes. Pure.
import { basename } from "node:path";
import { parse } from "unbash";
import { changeFolder, joinFolder, START } from "../../shell/line-state.ts";
import { provesReading } from "../../shell/reading/reading-programs.ts";
import { walkScript } from "../../shell/script/walk-script.ts";
import type { InnerCommand, ShellWord, SimpleCommand } from "../../shell/simple-command.ts";
import { spanOf } from "../../shell/words.ts";
import { unwrapCommand } from "../../shell/wrappers/unwrap.ts";
import {
  type ExecutedWord,
  onlyAtRun,
  pathsIn,
  textOf,
  type UncoveredRun,
} from "./command-reading.ts";
import {
  executesInput,
  isRunner,
  isSourcing,
  readCommandWords,
  readOpenWords,
  readsOtherCode,
  readVariables,
} from "./executed-words.ts";
import { readCode } from "./interpreter-words.ts";
import { readOpenVariables } from "./open-variables.ts";

/** A file that is executed, where it stands. */
export interface FoundRun extends ExecutedWord {
  /** Where the command may be run, from the folder that the line starts in; null where that is unknown. */
  readonly folders: readonly (string | null)[];
  /** Another path can be put in its place. */
  readonly canReplace: boolean;
  /** The program of the argv itself, which is looked for beside its file. */
  readonly isFirst: boolean;
}

/** Another path to run, null to leave it as it is. */
type VisitRun = (run: FoundRun) => string | null;

export interface UncoveredAt {
  readonly run: UncoveredRun;
  readonly folders: readonly (string | null)[];
}

interface RunSearch {
  readonly visit: VisitRun;
  readonly uncovered: UncoveredAt[];
  /** New texts of words, by the word itself. */
  readonly changes: Map<ShellWord, string>;
  readonly canReplace: (word: ShellWord) => boolean;
  readonly depth: number;
}

interface LineReading<Line> {
  /** The same where nothing was replaced. */
  readonly line: Line;
  readonly uncovered: readonly UncoveredAt[];
}

export function readArgv(argv: readonly string[], visit: VisitRun): LineReading<readonly string[]> {
  const words = argv.map((text): ShellWord => ({ text, kind: "literal" }));
  const own = new Set(words);
  const search = startRunSearch((run) => visit({ ...run, isFirst: run.word === words[0] }), {
    canReplace: (word) => own.has(word),
    depth: 0,
  });
  readSimple(commandOf(words), search);
  const { changes, uncovered } = search;
  return { line: words.map((word) => changes.get(word) ?? word.text), uncovered };
}

const commandOf = (words: readonly ShellWord[]): SimpleCommand => ({
  words,
  text: "",
  typed: "",
  form: "typed",
  assignments: [],
  redirections: [],
  takesMoreWords: false,
  found: null,
  folders: ["."],
});

const startRunSearch = (
  visit: VisitRun,
  parts: Pick<RunSearch, "canReplace" | "depth">,
): RunSearch => ({
  visit,
  ...parts,
  uncovered: [],
  changes: new Map(),
});

const MAX_DEPTH = 8;
const MAX_LENGTH = 262_144;

export function readLine(line: string, visit: VisitRun, depth = 0): LineReading<string> {
  const unread = (problem: string): LineReading<string> => ({
    line,
    uncovered: [
      { run: { what: `a line that ${problem}`, isOfProject: true, files: [] }, folders: [null] },
    ],
  });
  if (depth > MAX_DEPTH || line.length > MAX_LENGTH)
    return unread("is too long or nested too deep");
  const { commands, problem, expressions } = walk(line);
  if (problem !== null) return unread(`cannot be read: ${problem}`);
  const spans = findSpans(commands);
  const search = startRunSearch(visit, { canReplace: (word) => spans.has(word), depth });
  for (const command of commands) readSimple(command, search);
  // `let 'a[$(sh x)]'`: a text that is evaluated once more.
  for (const { kind, text } of expressions)
    if (kind === "program") search.uncovered.push(...unseenAt(text, pathsIn(line)));
  const edits = [...search.changes].flatMap(([word, text]) => {
    const span = spans.get(word);
    return span === undefined ? [] : [{ span, text }];
  });
  return { line: applyEdits(line, edits), uncovered: search.uncovered };
}

const unseenAt = (text: string, files: readonly string[]): UncoveredAt[] => [
  {
    run: { what: `\`${text}\`, which is known only when it runs`, isOfProject: true, files },
    folders: ["."],
  },
];

function walk(line: string): ReturnType<typeof walkScript> {
  try {
    return walkScript(parse(line), START);
  } catch (error) {
    // unbash 6.0.3 overflows the stack on some nestings.
    return {
      commands: [],
      expressions: [],
      problem: error instanceof Error ? error.message : String(error),
    };
  }
}

type Span = readonly [number, number];

/** Where words stand that can be replaced: a loop's variable stands for several files at one place. */
function findSpans(commands: readonly SimpleCommand[]): Map<ShellWord, Span> {
  const spans = new Map<ShellWord, Span>();
  const values = new Map<number, string | null>();
  for (const word of commands.flatMap(wordsOf)) {
    const span = spanOf(word);
    if (span === null) continue;
    const known = values.get(span[0]);
    values.set(span[0], known === undefined || known === word.text ? word.text : null);
    spans.set(word, span);
  }
  for (const [word, [start]] of spans) if (values.get(start) !== word.text) spans.delete(word);
  return spans;
}

const wordsOf = ({ words, redirections }: SimpleCommand): ShellWord[] => [
  ...words,
  ...redirections.flatMap((each) => (each.kind === "file" ? [each.target] : [])),
];

function applyEdits(line: string, edits: readonly { span: Span; text: string }[]): string {
  let changed = line;
  const done = new Set<number>();
  for (const { span, text } of edits.toSorted((a, b) => b.span[0] - a.span[0])) {
    if (done.has(span[0])) continue;
    done.add(span[0]);
    changed = `${changed.slice(0, span[0])}${quote(text)}${changed.slice(span[1])}`;
  }
  return changed;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function readSimple(command: SimpleCommand, search: RunSearch): void {
  const { folders, assignments, words } = command;
  for (const run of readVariables(assignments)) search.uncovered.push({ run, folders });
  const plain = withPlainName(command);
  const inner = unwrapCommand(plain);
  const name = words[0]?.text ?? "";
  // `PAGER=… sh x` has a line in a variable and is no wrapper for that; a file that is not looked into is seen here.
  const own = unwrapCommand({ ...plain, assignments: [] });
  const isWrapper = own.some(({ kind }) => kind !== "unseen");
  let isSeen = false;
  if (!isWrapper || isRunner(name) || readsOtherCode(name))
    isSeen = readOwn(command, search, isWrapper);
  else if (name.includes("/")) readOwn({ ...command, words: words.slice(0, 1) }, search, false);
  // `bash --rcfile x -ic …` executes that, too.
  if (isWrapper)
    for (const each of readCommandWords(words).executed)
      if (each.role === "load") visitRun(each, command, search);
  for (const open of [readOpenWords(plain), readOpenVariables(plain)])
    if (open !== null) search.uncovered.push({ run: open, folders });
  for (const each of inner) if (each.kind !== "unseen" || !isSeen) readInner(each, command, search);
}

/** Whether it was seen what it runs. */
function readOwn(command: SimpleCommand, search: RunSearch, isOnlyListed: boolean): boolean {
  const { words, folders, redirections, takesMoreWords } = command;
  const { executed, uncovered, readsInput } = readCommandWords(words);
  const input = redirections.find((each) => each.kind === "file" && !each.writes);
  const read = input?.kind === "file" ? [input.target.text] : [];
  const program = words[0]?.text ?? "";
  // What is proven to read runs nothing of what it is given: `git diff package.json`.
  const isReader = !executesInput(program) && provesReading(basename(program), command);
  for (const run of uncovered)
    if (run.isOfProject || !isReader) search.uncovered.push({ run: withInput(run, read), folders });
  // What `xargs sh` reads are names of scripts.
  const isFed = executed.length === 0 && executesInput(program) && !takesMoreWords;
  const by = isSourcing(program) ? "sh" : basename(program);
  const fed: ExecutedWord[] =
    isFed && input?.kind === "file" && input.target.kind === "literal"
      ? [{ word: input.target, prefix: "", path: input.target.text, role: "script", by }]
      : [];
  for (const each of redirections)
    if (isFed && each.kind === "text")
      for (const run of readCode(words, each.body.text)) search.uncovered.push({ run, folders });
  // `cat x.js | node`
  const isText = isFed && redirections.some(({ kind }) => kind === "text");
  const isCut =
    takesMoreWords && executesInput(program) && words.at(-1)?.text.startsWith("-") === true;
  if (isCut || (readsInput === true && fed.length === 0 && !isText))
    for (const run of onlyAtRun(textOf(words)).uncovered)
      search.uncovered.push({ run: { ...run, files: read }, folders });
  if (isOnlyListed) return true;
  for (const each of [...executed, ...fed]) visitRun(each, command, search);
  return executed.length + fed.length + uncovered.length > 0;
}

function visitRun(run: ExecutedWord, { folders }: SimpleCommand, search: RunSearch): void {
  const canReplace = search.canReplace(run.word);
  const path = search.visit({ ...run, folders, canReplace, isFirst: false });
  if (path !== null && canReplace) search.changes.set(run.word, `${run.prefix}${path}`);
}

/** `sqlite3 < x.sql`: a program of the system may well run what it is fed. */
const withInput = (run: UncoveredRun, read: readonly string[]): UncoveredRun =>
  run.isOfProject || run.needsFiles === true ? run : { ...run, files: [...run.files, ...read] };

function readInner(inner: InnerCommand, command: SimpleCommand, search: RunSearch): void {
  const { folders } = command;
  if (inner.kind === "unseen") {
    const files = command.words.flatMap(({ text }) => text);
    const run = { what: `\`${inner.what}\`, which is known only when it runs`, isOfProject: true };
    search.uncovered.push({ run: { ...run, files, needsFiles: false }, folders });
  } else if (inner.kind === "words") {
    const { words, assignments, folder } = inner;
    // `xargs env sh`, and `xargs env`, which gets its program as well.
    const takesMoreWords = inner.takesMoreWords || command.takesMoreWords;
    if (takesMoreWords && words.length === 0)
      for (const run of onlyAtRun(textOf(command.words)).uncovered)
        search.uncovered.push({ run, folders });
    const own = folder === undefined ? folders : folders.map((from) => changeFolder(from, folder));
    readSimple({ ...command, words, assignments, takesMoreWords, folders: own }, search);
  } else readInnerLine(inner.text, folders, search);
}

function readInnerLine(text: ShellWord, outer: SimpleCommand["folders"], search: RunSearch): void {
  const canReplace = text.kind === "literal" && search.canReplace(text);
  const from = (folders: SimpleCommand["folders"]): (string | null)[] =>
    outer.flatMap((folder) =>
      folders.map((inner) => (inner === null ? null : joinFolder(folder, inner))),
    );
  const { line, uncovered } = readLine(
    text.text,
    (run) =>
      search.visit({
        ...run,
        folders: from(run.folders),
        canReplace: canReplace && run.canReplace,
      }),
    search.depth + 1,
  );
  for (const { run, folders } of uncovered) search.uncovered.push({ run, folders: from(folders) });
  if (canReplace && line !== text.text) search.changes.set(text, line);
}

/** `/usr/bin/env` is `env`. */
function withPlainName(command: SimpleCommand): SimpleCommand {
  const [first, ...rest] = command.words;
  if (first === undefined || first.kind !== "literal" || !first.text.includes("/")) return command;
  const text = first.text.slice(first.text.lastIndexOf("/") + 1);
  return { ...command, words: [{ ...first, text }, ...rest] };
}
