// Which words of one simple command are files that it executes, and what it runs that nobody can see from here. Pure.
import { basename } from "node:path";
import type { LineAssignment, ShellWord, SimpleCommand } from "../../shell/simple-command.ts";
import { isSystemPath } from "./candidate-paths.ts";
import {
  type CommandReading,
  type ExecutedWord,
  NOTHING,
  onlyAtRun,
  pathsIn,
  STANDARD_INPUT,
  textOf,
  type UncoveredRun,
} from "./command-reading.ts";
import { readInterpreter } from "./interpreter-words.ts";
import {
  LOADING_VARIABLES,
  PLAIN_PROGRAMS,
  PROJECT_RUNNERS,
  SCRIPT_INTERPRETERS,
} from "./known-programs.ts";

/**
 * Words of `env` and of the definition's own `env:` count like those before a command. What a variable that nobody knows is for
 * cannot be told: where it names a file that is there, that may be run (`SHELL=./y script`).
 */
export function readVariables(assignments: readonly LineAssignment[]): UncoveredRun[] {
  return assignments
    .filter(({ name, value }) => LOADING_VARIABLES.test(name) || /[./]/.test(value.text))
    .map(({ name, value }) => ({
      what: `what \`${name}=${value.text}\` makes programs load`,
      isOfProject: true,
      files: [...pathsIn(value.text), ...startUpFiles(name, value.text)],
      ...(!LOADING_VARIABLES.test(name) && { needsFiles: true }),
      ...(FOLDERS.test(name) && value.text.split(":").some(isInProject) && { needsFiles: false }),
    }));
}

const START_UP = [".bash_profile", ".profile", ".bashrc", ".zshenv", ".npmrc", ".gitconfig"];

const startUpFiles = (name: string, folder: string): string[] =>
  /^(HOME|ZDOTDIR)$/.test(name) ? START_UP.map((file) => `${folder}/${file}`) : [];

/** Of folders it is not known which file of theirs is taken. */
const FOLDERS =
  /^((CD|NODE_|PYTHON|LD_LIBRARY_|AWK)?PATH|PERL5?LIB|RUBYLIB|HOME|ZDOTDIR|XDG_CONFIG_HOME)$/;

/** A part of `PATH` that is neither the system's, nor the person's, nor what it was before. */
const isInProject = (part: string): boolean => !/^(\/|~|\$\{?(HOME|PATH)\}?(\/|$))/.test(part);

/** A command after its wrappers were taken off; the first word may be a path. */
export function readCommandWords(words: readonly ShellWord[]): CommandReading {
  const [first] = words;
  if (first === undefined) return NOTHING;
  if (first.kind !== "literal") return onlyAtRun(first.text);
  if (isSourcing(first.text)) return readSourced(words);
  const name = basename(first.text);
  const isPath = first.text.includes("/");
  const own: ExecutedWord[] = isPath
    ? [{ word: first, prefix: "", path: first.text, role: "program" }]
    : [];
  const rule = SCRIPT_INTERPRETERS.find(([names]) => names.test(name))?.[1];
  const reading =
    rule === undefined ? readProgram(name, words, isPath) : readInterpreter(rule, words);
  return { ...reading, executed: [...own, ...reading.executed] };
}

export const isSourcing = (program: string): boolean => program === "." || program === "source";

/** Whether a program executes what it is given by its standard input or a file. */
export const executesInput = (program: string): boolean =>
  isSourcing(program) || SCRIPT_INTERPRETERS.some(([names]) => names.test(basename(program)));

/** Whether its code is of another language, and so may name more files than the lines that it starts. */
export const readsOtherCode = (program: string): boolean =>
  SCRIPT_INTERPRETERS.some(
    ([names, { isShell }]) => isShell !== true && names.test(basename(program)),
  );

/** Whether a program runs what the project says elsewhere, beside what its words say. */
export const isRunner = (program: string): boolean => runnerFiles(program) !== undefined;

/** One that lies in the project is not the known one of its name. */
const runnerFiles = (program: string): readonly string[] | undefined =>
  program.includes("/") && !program.startsWith("/")
    ? undefined
    : PROJECT_RUNNERS.get(basename(program));

function readSourced(words: readonly ShellWord[]): CommandReading {
  const file = words.slice(1).find(({ text }) => text !== "--");
  if (file === undefined || STANDARD_INPUT.test(file.text)) return NOTHING;
  if (file.kind !== "literal") return onlyAtRun(`${words[0]?.text} ${file.text}`);
  const script = { word: file, prefix: "", path: file.text, role: "script", by: "sh" } as const;
  return { executed: [script], uncovered: [] };
}

function readProgram(name: string, words: readonly ShellWord[], isPath: boolean): CommandReading {
  // `hash -p FILE NAME` makes a name a file.
  if (name === "hash" && words.length > 2) return onlyAtRun(textOf(words));
  const isOwn = isPath && !isSystemPath(words[0]?.text ?? "");
  if (PLAIN_PROGRAMS.has(name) && !isOwn) return NOTHING;
  const files = words.slice(1).flatMap(({ text }) => pathsIn(text));
  const runner = runnerFiles(words[0]?.text ?? "");
  if (runner !== undefined) {
    const folders = ["", ...files.map((file) => `${file}/`)];
    const found = folders.flatMap((folder) => runner.map((file) => `${folder}${file}`));
    const what = `what \`${textOf(words)}\` runs of the project`;
    return { executed: [], uncovered: [{ what, isOfProject: true, files: [...files, ...found] }] };
  }
  // What a program of the project gets by name is not thereby run.
  if (isOwn) return NOTHING;
  const what = `\`${name}\`, a program of the system`;
  return { executed: [], uncovered: [{ what, isOfProject: false, files }] };
}

/** `system($0)`, `print | c`, `c | getline`: a line that is no text of the program. */
const AWK_RUNS_VALUES =
  /\bsystem\s*\(\s*(?!"(?:[^"\\]|\\.)*"\s*\))|\bprintf?\b[^;{}\n]*[^|]\|&?\s*[A-Za-z_$(]|[\w)\]]\s*\|&?\s*getline/;
/** `s/a/b/e` runs what it has made of its input. */
const SED_RUNS_INPUT = /s([^\w\s\\])(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[^\\]|\\.)*\1[gpiIMm0-9]*e/s;

/** The command `e` of sed runs a line, or what it has read. */
const SED_RUNS_LINE = /(?:^|[\n;{}0-9$/,!])[ \t]{0,9}e(?:\s|$)/;

/** Folders from which git takes programs and hooks. */
const GIT_FOLDERS = /^(--exec-path=|--template\b|-?-?c?(core\.hookspath|init\.templatedir)=)/i;

/** What a command runs that its words do not say: what a wrapper fills in, lines of its input, programs from a folder. */
export function readOpenWords({ words }: Pick<SimpleCommand, "words">): UncoveredRun | null {
  const [name = "", ...args] = words.map(({ text }) => text);
  const isOpen =
    name === "parallel" ||
    (/^g?xargs$/.test(name) && fillsCode(args)) ||
    (/awk$/.test(name) && AWK_RUNS_VALUES.test(args.join("\n"))) ||
    (/sed$/.test(name) &&
      [SED_RUNS_INPUT, SED_RUNS_LINE].some((runs) => runs.test(args.join("\n")))) ||
    (name === "git" && args.some((arg) => GIT_FOLDERS.test(arg)));
  if (!isOpen) return null;
  const what = `\`${textOf(words)}\`, which is known only when it runs`;
  return { what, isOfProject: true, files: args.flatMap(pathsIn), needsFiles: false };
}

/** `xargs -I% sh -c %`. */
function fillsCode(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => /^(-I|--replace)/.test(arg));
  const joined = /^(?:-I|--replace=)(.+)$/.exec(args[at] ?? "")?.[1];
  const mark = joined ?? (args[at] === "-I" ? args[at + 1] : "{}") ?? "{}";
  const program = args.findIndex((arg) => executesInput(arg));
  return at !== -1 && program !== -1 && args.slice(program).some((arg) => arg.includes(mark));
}
