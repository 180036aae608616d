// Which words of an interpreter's command are files that it executes, and what the code it is given loads. Pure.
import { isBuiltin } from "node:module";
import { basename } from "node:path";
import type { ShellWord } from "../../shell/simple-command.ts";
import {
  type CommandReading,
  type ExecutedWord,
  onlyAtRun,
  pathsIn,
  STANDARD_INPUT,
  textOf,
  type UncoveredRun,
  VARIABLES_FILE,
} from "./command-reading.ts";
import type { Interpreter } from "./known-programs.ts";
import { filesStartedIn } from "./started-files.ts";

interface WordSearch extends CommandReading {
  readonly rule: Interpreter;
  readonly words: readonly ShellWord[];
  readonly executed: ExecutedWord[];
  readonly uncovered: UncoveredRun[];
  /** Its code came by a word already, so there is no script. */
  hasCode: boolean;
}

export function readInterpreter(rule: Interpreter, words: readonly ShellWord[]): CommandReading {
  const search: WordSearch = { rule, words, executed: [], uncovered: [], hasCode: false };
  for (let at = 1; at < words.length; ) {
    const next = readOption(search, at) ?? readOperand(search, at);
    if (next === null) break;
    at = next;
  }
  const { executed, uncovered, hasCode } = search;
  const hasScript = hasCode || uncovered.length > 0 || executed.some(({ role }) => role !== "load");
  const isAsked = words.some(({ text }) => /^(-v|-V|-h|--version|--help)$/.test(text));
  const readsInput = !(hasScript || isAsked || rule.isOnlyLoaded || rule.input);
  return { executed, uncovered, readsInput };
}

/** Where to go on behind an option, null where there is none. */
function readOption(search: WordSearch, at: number): number | null {
  const { rule, words, uncovered } = search;
  const word = words[at];
  const text = word?.text ?? "";
  const [, option = text, value] = /^(--?[\w-]+)=(.*)$/s.exec(text) ?? [];
  const is = (pattern: RegExp | undefined, one = text): boolean => pattern?.test(one) === true;
  const isVariables = is(rule.variables, option);
  if (is(rule.loads, option) || isVariables) {
    const by = isVariables ? VARIABLES_FILE : undefined;
    if (value === undefined) addFile(search, words[at + 1], "load", "", by);
    else addFile(search, word, "load", `${option}=`, by);
    return value === undefined ? at + 2 : at + 1;
  }
  if (rule.folders?.some((folder) => text.startsWith(folder)) === true) {
    const what = `what \`${textOf(words)}\` finds by \`${text}\``;
    uncovered.push({ what, isOfProject: true, files: [] });
    return rule.folders.includes(text) ? at + 2 : at + 1;
  }
  if (is(rule.settings, option)) {
    const what = `what \`${textOf(words)}\` loads by \`${option}\``;
    uncovered.push({ what, isOfProject: true, files: pathsIn(value ?? words[at + 1]?.text ?? "") });
    return value === undefined && !/-default-/.test(option) ? at + 2 : at + 1;
  }
  if (isJoined(rule, text)) {
    addFile(search, word, "load", text.slice(0, 2));
    return at + 1;
  }
  if (is(rule.code)) {
    uncovered.push(...inline(words, at));
    search.hasCode = true;
    return rule.isCodeLast === true ? words.length : at + 2;
  }
  if (is(rule.named)) {
    uncovered.push(named(words, at));
    return words.length;
  }
  if (is(rule.input)) return words.length;
  if (is(rule.valued)) return at + 2;
  return text === "--" || /^[-+]./.test(text) || is(rule.subcommands) ? at + 1 : null;
}

/** The script, or the text of a program that has none; what follows are its arguments. */
function readOperand(search: WordSearch, at: number): null {
  const { rule, words, executed, uncovered } = search;
  if (search.hasCode) return null;
  // `awk '…' file`: its text may run others.
  if (rule.isOnlyLoaded === true) {
    if (executed.length === 0) uncovered.push(...inline(words, at - 1));
    return null;
  }
  addFile(search, words[at], "script");
  // `node --option value x.js`, where nobody knows the option: the script may be the next word.
  const [option = "", text = ""] = [words[at - 1]?.text, words[at]?.text];
  const isValue = /^--(?!no-|enable-|allow-)[\w-]+$/.test(option) && !/[./]/.test(text);
  const next = words[at + 1];
  if (isValue && at > 1 && /[./]/.test(next?.text ?? "")) addFile(search, next, "script");
  return null;
}

/** `file:///x` and `file:/x`, as Node takes them. */
const FILE_ADDRESS = /^file:(\/\/)?/;

function addFile(
  { words, executed, uncovered }: WordSearch,
  word: ShellWord | undefined,
  role: ExecutedWord["role"],
  option = "",
  by = basename(words[0]?.text ?? ""),
): void {
  if (word === undefined || STANDARD_INPUT.test(word.text)) return;
  if (word.kind !== "literal") uncovered.push(...onlyAtRun(textOf(words)).uncovered);
  else {
    const address = FILE_ADDRESS.exec(word.text.slice(option.length))?.[0] ?? "";
    const prefix = `${option}${address}`;
    executed.push({ word, prefix, path: word.text.slice(prefix.length), role, by });
  }
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

/** `node -e "$(cat x.js)"` */
const FROM_FILE = /^(?:\$\([ \t]*(?:cat\b|<)[^\n]{0,2000}\)|`[ \t]*(?:cat\b|<)[^\n]{0,2000}`)$/m;

/** Code that an interpreter is given by a word or by its standard input. */
export function readCode(words: readonly ShellWord[], code: string): UncoveredRun[] {
  const name = basename(words[0]?.text ?? "");
  const isPython = PYTHON.test(name);
  // It looks for every module where it is run first, unless it is told not to.
  const isApart = isPython && words.some(({ text }) => /^-[a-zA-Z]*[IP]/.test(text));
  const loads = LOADING_CODE.find(([names]) => names.test(name))?.[1];
  const isOpen =
    (loads?.test(code) === true && !isApart) ||
    (SCRIPTED.test(name) && loadsOwn(code)) ||
    FROM_FILE.test(code);
  const files = [...filesStartedIn(code), ...(isPython ? modulesIn(code) : [])];
  if (!isOpen)
    return files.length === 0
      ? []
      : [{ ...loadedBy(words), isOfProject: false, files, needsFiles: true }];
  return [{ ...loadedBy(words), isOfProject: true, files }];
}

const PYTHON = /^(python|pypy)[\d.]*$/;
const SCRIPTED = /^(node|nodejs|bun|deno|tsx|ts-node)$/;

/** Code by which an interpreter looks for further files itself. */
const LOADING_CODE: readonly (readonly [RegExp, RegExp])[] = [
  [PYTHON, /import/],
  [/^ruby[\d.]*$/, /\b(require_relative|load|autoload|\$LOAD_PATH)\b|\brequire\W{1,3}[./]|\$:/],
  [/^(lua|luajit)[\d.]*$/, /\b(require|dofile|loadfile)\b/],
  [/^perl[\d.]*$/, /\buse\s+lib\b|@INC\b/],
  [/^jq$/, /\b(import|include)\s*"/],
  [/awk$/, /@(include|load)\b/],
];

/** Whether a module is neither Node's own nor named by a text. */
function loadsOwn(code: string): boolean {
  if (/\b(?:require|import)\s*\(\s*[^\s"']|["'`]\.{1,2}\/[\w/-]*["'`]/.test(code)) return true;
  const named = code.matchAll(/\b(?:require\s*\(|import\s*\(|import|from)\s*["']([^"'\n]+)["']/g);
  return [...named].some(([, module = ""]) => !isBuiltin(module));
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

/** `import tools.x` of Python. */
function modulesIn(text: string): string[] {
  const names = [...text.matchAll(/\b(?:import|from)\s+([\w.]+)/g)].map(([, name = ""]) => name);
  return names.flatMap((name) => {
    const path = name.replaceAll(".", "/");
    return [`${path}.py`, `${path}/__init__.py`];
  });
}
