// Code of another language that stands elsewhere in a line than with the interpreter that runs it: `echo '…' | python3`,
// `cat > x.py <<E …; python3 x.py`.
import { effectsOf } from "./effects/effects-of.ts";
import { isInterpreter, programSource } from "./interpreters.ts";
import type { SimpleCommand } from "./simple-command.ts";

export interface CarriedCode {
  readonly text: string;
  /** The interpreter. */
  readonly reader: SimpleCommand;
}

/** What may be run so: every text of the line where an interpreter reads its input or runs a file that the line makes. */
export function carriedCode(commands: readonly SimpleCommand[]): readonly CarriedCode[] {
  const known = FOUND.get(commands);
  if (known !== undefined) return known;
  const found = findCarried(commands);
  FOUND.set(commands, found);
  return found;
}

/** Every guard asks for it, some of them for each command of a line. */
const FOUND = new WeakMap<readonly SimpleCommand[], readonly CarriedCode[]>();

function findCarried(commands: readonly SimpleCommand[]): CarriedCode[] {
  const reader = commands.find(isFed) ?? findRunningWritten(commands);
  if (reader === undefined) return [];
  return commands
    .filter(({ form }) => form !== "base-name")
    .map((each) => ({ text: textOf(each), reader }))
    .filter(({ text }) => text !== "");
}

const isFed = (command: SimpleCommand): boolean =>
  (programSource(command) === "input" || readsQueries(command) || readsOwnText(command)) &&
  bodiesOf(command).length === 0;

/** `echo "select …" | sqlite3 a.db`: its language can open files too. */
const readsQueries = ({ words: [program, ...words] }: SimpleCommand): boolean =>
  program?.text === "sqlite3" && words.filter(({ text }) => !text.startsWith("-")).length < 2;

/** Programs whose language can open files, and how they are told to read it from their input. */
const READ_INPUT: readonly (readonly [program: RegExp, words: RegExp])[] = [
  [/^([gc]?cc|[gc]\+\+|clang(\+\+)?|tcc|rustc)$/, / (-|\/dev\/stdin) /],
  [/^(cpp|soelim|[gnt]?roff|m4)$/, /^ ((?!--(?:version|help))-\S* )*$| (-|\/dev\/stdin) /],
  [/^as$/, /^(?!.*(?:\.[sS]|--version|--help) )/],
  [/^(pandoc|asciidoctor|rst2\w+)$/, /^(?!.* --(version|help|list-\S+) )/],
  [/^([gmn]?awk|g?sed)$/, / (-f ?|--file[= ])(-|\/dev\/stdin) /],
  [
    /^(psql|mysql|mariadb|duckdb)$/,
    /^(?!.* (-[cefVl]|--(command|file|execute|version|help|list))[= ])/,
  ],
];

function readsOwnText({ words: [program, ...words] }: SimpleCommand): boolean {
  const text = ` ${words.map((word) => word.text).join(" ")} `.replace(/^ {2}$/, " ");
  return READ_INPUT.some(([name, given]) => name.test(program?.text ?? "") && given.test(text));
}

/** The files that they read as text of that language: all, or those behind an option. */
function textFilesOf({ words: [program, ...words] }: SimpleCommand): string[] {
  const name = program?.text ?? "";
  const texts = words.map(({ text }) => text);
  if (/^(as|cpp|soelim|[gnt]?roff|man|m4|pandoc|asciidoctor|rst2\w+)$/.test(name)) return texts;
  if (name === "sqlite3")
    return texts.flatMap((text) => /^\.read\s{1,9}["']?([^\s"']{1,300})/.exec(text)?.[1] ?? []);
  if (!/^([gmn]?awk|g?sed|curl)$/.test(name)) return [];
  return texts.flatMap((text, at) => {
    const file = /^(?:-[a-zA-Z]{0,9}[fK]|--(?:file|config)=?)(.*)$/s.exec(text)?.[1];
    return file === "" ? (texts[at + 1] ?? []) : (file ?? []);
  });
}

function findRunningWritten(commands: readonly SimpleCommand[]): SimpleCommand | undefined {
  const runners = commands.filter(({ words: [program] }) => {
    const name = program?.text ?? "";
    return isInterpreter(name) || COMPILERS.test(name) || RUNS_SCRIPTS.test(name);
  });
  runners.push(...commands.filter((each) => textFilesOf(each).length > 0));
  if (runners.length === 0) return undefined;
  const writes = commands.flatMap((command) =>
    effectsOf(command).filter(({ access }) => access === "write"),
  );
  const written = new Set(writes.map(({ word }) => nameOf(word.text)));
  // A compiler's own words may be anything, of which nobody knows whether it is written.
  const surely = writes.flatMap(({ word, isPossible }) => (isPossible ? [] : [word.text]));
  const surelyWritten = new Set(surely.map(nameOf));
  return runners.find((runner) => {
    if (RUNS_SCRIPTS.test(runner.words[0]?.text ?? "")) return surelyWritten.has("package.json");
    if (textFilesOf(runner).some((file) => surelyWritten.has(nameOf(file)))) return true;
    if (loadsModule(runner, surely.map(moduleOf))) return true;
    const isCompiler = COMPILERS.test(runner.words[0]?.text ?? "");
    return effectsOf(runner).some(({ access, word }) =>
      isCompiler
        ? surelyWritten.has(nameOf(word.text))
        : access === "execute" && written.has(nameOf(word.text)),
    );
  });
}

const MODULE = /^([\w.-]{1,99})\.(?:py|rb|pl|pm|lua|[cm]?[jt]s)$/;
/** Python loads it at every start. */
const SITE = /^(?:site|user)customize\.py$/;

/** The name by which the file is loaded, `.` for a folder's own; null for what is no module. */
function moduleOf(path: string): string | null {
  const name = nameOf(path);
  if (SITE.test(name)) return "";
  // `z/index.js`, `z/__init__.py`: the folder is the module.
  const isFolder = /^(?:index\.[cm]?[jt]s|__(?:init|main)__\.py)$/.test(name);
  return isFolder
    ? nameOf(path.slice(0, -name.length - 1)) || "."
    : (MODULE.exec(name)?.[1] ?? null);
}

/** `python3 -m x`, `-c 'import x'`, `-e 'require("./x")'`, and `node --test`, which looks for the files itself. */
function loadsModule(
  { words: [program, ...words] }: SimpleCommand,
  modules: readonly (string | null)[],
): boolean {
  const known = modules.filter((name) => name !== null);
  if (!isInterpreter(program?.text ?? "") || known.length === 0) return false;
  const named = new Set(words.flatMap(({ text }) => [text, ...text.split(/[^\w-]+/)]));
  return named.has("--test") || known.some((name) => name === "" || named.has(name));
}

/** What they are given is run, at once or by the next command. */
export const COMPILERS =
  /^(java|javac|kotlinc?|scala|swift|gcc|cc|g\+\+|c\+\+|clang|clang\+\+|tcc|rustc|go|zig|dotnet|cmake)$/;

/** `echo '{"scripts":…}' > package.json; npm test`. */
export const RUNS_SCRIPTS = /^(npm|pnpm|yarn|bun)$/;

/** The folder may be written otherwise in the two places. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function textOf(command: SimpleCommand): string {
  const [program, ...words] = command.words;
  const isPrinted = /^(printf|echo)$/.test(program?.text ?? "");
  const given = words.map(({ text }) => (isPrinted ? `${text}\n${printed(text)}` : text));
  return [...given, ...bodiesOf(command)].join("\n");
}

/** What `printf` and `echo -e` make of it, beside what is written. */
const printed = (text: string): string =>
  !text.includes("\\")
    ? ""
    : text.replace(/\\(?:x([0-9a-f]{1,2})|0?([0-7]{3})|([ntr]))/gi, (_, hex, octal) => {
        if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
        return octal === undefined ? "\n" : String.fromCharCode(Number.parseInt(octal, 8) & 127);
      });

const bodiesOf = ({ redirections }: SimpleCommand): string[] =>
  redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : []));
