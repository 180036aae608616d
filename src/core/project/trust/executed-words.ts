// Which words of one simple command are files that it executes, and what it runs that nobody can see from here. Pure.
import { basename } from "node:path";
import type { LineAssignment, ShellWord } from "../../shell/simple-command.ts";
import {
  type Interpreter,
  LOADING_VARIABLES,
  PLAIN_PROGRAMS,
  PROJECT_RUNNERS,
  SCRIPT_INTERPRETERS,
} from "./known-programs.ts";

/** A file that a command executes, as a part of one of its words. */
export interface ExecutedWord {
  readonly word: ShellWord;
  /** What stands before the path: `--import=` of `--import=./x`. */
  readonly prefix: string;
  readonly path: string;
  /** `load` may be a package as well: `-r dotenv/config`. */
  readonly role: "program" | "script" | "load";
  /** The interpreter that is given it, whatever its name's end says. */
  readonly by?: string;
}

/** Something that runs as it is when it runs, whatever was approved. */
export interface UncoveredRun {
  /** Continues "not covered: ". */
  readonly what: string;
  /** Whether it can be a part of the project, and so be changed by whoever changes the project. */
  readonly isOfProject: boolean;
  /** Files that decide what it does, if they are there: from the folder of the command. */
  readonly files: readonly string[];
  /** It is nothing to speak of where none of the files is there. */
  readonly needsFiles?: boolean;
}

interface CommandReading {
  readonly executed: readonly ExecutedWord[];
  readonly uncovered: readonly UncoveredRun[];
}

/** Words of `env` and of the definition's own `env:` count like those before a command. */
export function readVariables(assignments: readonly LineAssignment[]): UncoveredRun[] {
  return assignments
    .filter(({ name }) => LOADING_VARIABLES.test(name))
    .map(({ name, value }) => ({
      what: `what \`${name}=${value.text}\` makes programs load`,
      isOfProject: true,
      files: [...pathsIn(value.text), ...startUpFiles(name, value.text)],
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
  const { executed, uncovered } =
    rule === undefined ? readProgram(name, words, isPath) : readInterpreter(rule, words);
  return { executed: [...own, ...executed], uncovered };
}

export const isSourcing = (program: string): boolean => program === "." || program === "source";

/** Whether a program executes what it is given by its standard input or a file. */
export const executesInput = (program: string): boolean =>
  isSourcing(program) || SCRIPT_INTERPRETERS.some(([names]) => names.test(basename(program)));

/** Whether a program runs what the project says elsewhere, beside what its words say. */
export const isRunner = (program: string): boolean => runnerFiles(program) !== undefined;

/** One that lies in the project is not the known one of its name. */
const runnerFiles = (program: string): readonly string[] | undefined =>
  program.includes("/") && !program.startsWith("/")
    ? undefined
    : PROJECT_RUNNERS.get(basename(program));

const NOTHING: CommandReading = { executed: [], uncovered: [] };

const onlyAtRun = (text: string): CommandReading => ({
  executed: [],
  uncovered: [
    { what: `\`${text}\`, which is known only when it runs`, isOfProject: true, files: [] },
  ],
});

function readSourced(words: readonly ShellWord[]): CommandReading {
  const file = words.slice(1).find(({ text }) => text !== "--");
  if (file === undefined || STANDARD_INPUT.test(file.text)) return NOTHING;
  if (file.kind !== "literal") return onlyAtRun(`${words[0]?.text} ${file.text}`);
  const script = { word: file, prefix: "", path: file.text, role: "script", by: "sh" } as const;
  return { executed: [script], uncovered: [] };
}

const STANDARD_INPUT = /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

function readProgram(name: string, words: readonly ShellWord[], isPath: boolean): CommandReading {
  // `hash -p FILE NAME` makes a name a file.
  if (name === "hash" && words.length > 2) return onlyAtRun(textOf(words));
  if (PLAIN_PROGRAMS.has(name) && !isPath) return NOTHING;
  const files = words.slice(1).flatMap(({ text }) => pathsIn(text));
  const runner = runnerFiles(words[0]?.text ?? "");
  if (runner !== undefined) {
    const folders = ["", ...files.map((file) => `${file}/`)];
    const found = folders.flatMap((folder) => runner.map((file) => `${folder}${file}`));
    const what = `what \`${textOf(words)}\` runs of the project`;
    return { executed: [], uncovered: [{ what, isOfProject: true, files: [...files, ...found] }] };
  }
  // What a program of the project gets by name is not thereby run.
  if (isPath) return NOTHING;
  const what = `\`${name}\`, a program of the system`;
  return { executed: [], uncovered: [{ what, isOfProject: false, files }] };
}

const MAX_TEXT = 80;

const textOf = (words: readonly ShellWord[]): string => {
  const text = words.map((word) => word.text).join(" ");
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
};

function readInterpreter(rule: Interpreter, words: readonly ShellWord[]): CommandReading {
  const executed: ExecutedWord[] = [];
  const uncovered: UncoveredRun[] = [];
  const by = basename(words[0]?.text ?? "");
  const add = (word: ShellWord | undefined, role: ExecutedWord["role"], prefix = ""): void => {
    if (word === undefined || STANDARD_INPUT.test(word.text)) return;
    if (word.kind !== "literal") uncovered.push(...onlyAtRun(textOf(words)).uncovered);
    else executed.push({ word, prefix, path: word.text.slice(prefix.length), role, by });
  };
  const isNot = (pattern: RegExp | undefined, text: string) => pattern?.test(text) !== true;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    const text = word?.text ?? "";
    const [, option = "", value] = /^(--?[\w-]+)=(.*)$/s.exec(text) ?? [];
    if (!isNot(rule.loads, text)) add(words[++at], "load");
    else if (value !== undefined && !isNot(rule.loads, option)) add(word, "load", `${option}=`);
    else if (rule.folders?.some((folder) => text.startsWith(folder)) === true) {
      uncovered.push({
        what: `what \`${textOf(words)}\` finds by \`${text}\``,
        isOfProject: true,
        files: [],
      });
      if (rule.folders.includes(text)) at++;
    } else if (isJoined(rule, text)) add(word, "load", text.slice(0, 2));
    else if (!isNot(rule.code, text))
      return { executed, uncovered: [...uncovered, ...inline(words, at)] };
    else if (!isNot(rule.named, text))
      return { executed, uncovered: [...uncovered, named(words, at)] };
    else if (!isNot(rule.input, text)) break;
    else if (!isNot(rule.valued, text)) at++;
    else if (text === "--") continue;
    else if (!/^[-+]./.test(text) && isNot(rule.subcommands, text)) {
      if (rule.isOnlyLoaded === undefined) add(word, "script");
      // `awk '…' file`: its text may run others.
      else if (executed.length === 0) uncovered.push(...inline(words, at - 1));
      break;
    }
  }
  return { executed, uncovered };
}

/** `-r./x`, `-f./x`: the letter and its value in one word; `-fx` where no other letters can follow. */
const isJoined = ({ loads, isOnlyLoaded }: Interpreter, text: string): boolean =>
  (isOnlyLoaded === true ? /^-[a-zA-Z][^=]/ : /^-[a-zA-Z]\.{0,2}\//).test(text) &&
  loads?.test(text.slice(0, 2)) === true;

/** Code in the line is approved with it; what it loads by name is not. */
const inline = (words: readonly ShellWord[], at: number): UncoveredRun[] =>
  readCode(
    words,
    words
      .slice(at + 1)
      .map(({ text }) => text)
      .join("\n"),
  );

/** Code that an interpreter is given by a word or by its standard input. */
export function readCode(words: readonly ShellWord[], code: string): UncoveredRun[] {
  const isPython = /(^|\/)(python|pypy)[\d.]*$/.test(words[0]?.text ?? "");
  // Python looks for every module where it is run first, unless it is told not to.
  const isOpen =
    isPython && /\bimport\b/.test(code) && !words.some(({ text }) => /^-[a-zA-Z]*[IP]/.test(text));
  const files = [...pathsIn(code), ...(isPython ? modulesIn(code) : [])];
  if (!isOpen)
    return files.length === 0
      ? []
      : [{ ...loadedBy(words), isOfProject: false, files, needsFiles: true }];
  return [{ ...loadedBy(words), isOfProject: true, files }];
}

const loadedBy = (words: readonly ShellWord[]): Pick<UncoveredRun, "what"> => ({
  what: `what the code in \`${textOf(words)}\` loads`,
});

function named(words: readonly ShellWord[], at: number): UncoveredRun {
  const option = words[at]?.text ?? "";
  const joined = /^-[a-zA-Z]*?m(.+)$/.exec(option)?.[1];
  const module = joined ?? words[at + 1]?.text ?? "";
  const path = module.replaceAll(".", "/");
  const rest = words.slice(at + 1).flatMap(({ text }) => pathsIn(text));
  const files =
    joined !== undefined || option.endsWith("m")
      ? [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`, "conftest.py"]
      : ["package.json", "deno.json", "deno.jsonc"];
  const what = `what \`${textOf(words)}\` finds by name`;
  return { what, isOfProject: true, files: [...files, ...rest] };
}

const MAX_PATHS = 200;

/** What could be a path in a text: whether it is one is seen by looking. */
export const pathsIn = (text: string): string[] => manyPathsIn(text, MAX_PATHS);

export function manyPathsIn(text: string, limit: number): string[] {
  const words = text.split(/[\s"'`;|&<>(){}=$,:[\]!?*]+/);
  const names = words.filter((word) => /[\w]/.test(word) && !word.startsWith("-"));
  return [...new Set(names)].slice(0, limit);
}

/** `import tools.x` of Python. */
function modulesIn(text: string): string[] {
  const names = [...text.matchAll(/\b(?:import|from)\s+([\w.]+)/g)].map(([, name = ""]) => name);
  return names.flatMap((name) => {
    const path = name.replaceAll(".", "/");
    return [`${path}.py`, `${path}/__init__.py`];
  });
}
