// What the shell's own commands change for those behind them: variables, and the folder.
import {
  bothWays,
  enterFolder,
  forgetFolder,
  forgetVariables,
  type LineState,
  type StateOutcome,
  setVariable,
} from "./line-state.ts";
import type { SimpleCommand } from "./simple-command.ts";

/** The state behind a simple command. */
export function stateAfter(
  command: SimpleCommand,
  state: LineState,
  functions: ReadonlySet<string>,
): StateOutcome {
  const { words, assignments } = command;
  const plain = skipPrefixes(words);
  const [first] = plain;
  if (first === undefined) return bothWays(assignAll(assignments, state));
  const after = BUILTINS.get(first.text);
  if (first.kind !== "literal" || functions.has(first.text)) return bothWays(forgetAll(state));
  // A POSIX shell keeps what is assigned before one of its special builtins.
  const kept = SPECIAL.has(first.text) ? forgetNames(assignments, state) : state;
  if (after !== undefined) return after({ ...command, words: plain }, kept);
  return bothWays(kept);
}

/** `trap 'rm -rf "$tmp"' EXIT`. */
export const runsAtEnd = ([first, text, signal, another]: SimpleCommand["words"]): boolean =>
  first?.text === "trap" &&
  text?.kind === "literal" &&
  !text.text.startsWith("-") &&
  signal?.kind === "literal" &&
  /^(EXIT|0)$/.test(signal.text) &&
  another === undefined;

const SPECIAL: ReadonlySet<string> = new Set(
  ": . eval exec export readonly set shift trap unset break continue return times".split(" "),
);

/** `command cd x` and `builtin cd x` are `cd x`. */
function skipPrefixes(words: SimpleCommand["words"]): SimpleCommand["words"] {
  let index = 0;
  while (/^(command|builtin|-p|--)$/.test(words[index]?.text ?? "") && index < words.length) {
    if (index === 0 && /^-/.test(words[0]?.text ?? "")) break;
    index++;
  }
  return words.slice(index);
}

const forgetAll = (state: LineState): LineState => forgetFolder(forgetVariables(state));

type Assignments = SimpleCommand["assignments"];

const assignAll = (assignments: Assignments, state: LineState): LineState =>
  assignments.reduce((after, { name, value }) => setVariable(after, name, value), state);

const forgetNames = (assignments: Assignments, state: LineState): LineState =>
  assignments.reduce((after, { name }) => setVariable(after, name, null), state);

type After = (command: SimpleCommand, state: LineState) => StateOutcome;

/** With more than one word it complains and goes on. */
const ends: After = ({ words }, state) => {
  const [, code, another] = words;
  const isOne = code === undefined || code.kind === "literal" || code.text === "$?";
  return isOne && another === undefined ? { success: null, failure: null } : bothWays(state);
};
const MOVES: After = (command, state) => ({ success: moveTo(command, state), failure: state });
const FORGETS: After = (_, state) => bothWays(forgetVariables(state));

/** The names among the words, where those are all that is changed. */
const forgetWords: After = ({ words }, state) => {
  if (words.some(({ kind }) => kind !== "literal")) return bothWays(forgetVariables(state));
  const names = words.slice(1).flatMap(({ text }) => /^[A-Za-z_]\w*/.exec(text)?.[0] ?? []);
  return bothWays(names.reduce((after, name) => setVariable(after, name, null), state));
};

/** `printf -v name`. */
const prints: After = (command, state) => {
  const format = command.words[1];
  const isPlain =
    format === undefined || (format.kind === "literal" && !format.text.startsWith("-v"));
  return isPlain ? bothWays(state) : forgetWords(command, state);
};

/** `export A=b`; options such as `-n` and `-i` make more of a value than it says. */
const declares: After = ({ words, assignments }, state) => {
  const isPlain = words
    .slice(1)
    .every(
      ({ text, kind }) => !/^[-+]/.test(text) || (kind === "literal" && /^-[xgr]+$/.test(text)),
    );
  if (!isPlain) return bothWays(forgetVariables(state));
  return bothWays(assignAll(assignments, state));
};

/** The words of `eval` are lines of their own, looked at elsewhere; here only what they may have changed. */
const evaluates: After = ({ text, words }, state) => {
  const after = forgetVariables(state);
  const isOpen = words.some(({ kind }) => kind !== "literal");
  return bothWays(
    isOpen || /cd|pushd|popd|eval|source|\./.test(text) ? forgetFolder(after) : after,
  );
};

/** What is run at the end of the line changes nothing for what stands in it. */
const traps: After = ({ words }, state) =>
  bothWays(runsAtEnd(words) ? state : forgetVariables(state));

const BUILTINS: ReadonlyMap<string, After> = new Map<string, After>([
  ["exit", ends],
  ...["cd", "chdir", "pushd", "popd"].map((name): [string, After] => [name, MOVES]),
  ...["read", "readarray", "mapfile", "getopts", "unset", "wait"].map((name): [string, After] => [
    name,
    forgetWords,
  ]),
  ...["export", "declare", "typeset", "local", "readonly"].map((name): [string, After] => [
    name,
    declares,
  ]),
  ["trap", traps],
  ...["source", ".", "let", "set", "shopt", "enable", "alias"].map((name): [string, After] => [
    name,
    FORGETS,
  ]),
  ["eval", evaluates],
  ["printf", prints],
]);

function moveTo({ words }: SimpleCommand, state: LineState): LineState {
  if (words[0]?.text === "popd" || state.variables.has("CDPATH")) return forgetFolder(state);
  const operands = words.slice(1).filter(({ text }) => !/^-[LPe@]*$/.test(text) || text === "-");
  const [target, another] = operands.filter(({ text }) => text !== "--");
  if (target === undefined)
    return words[0]?.text === "cd" ? enterFolder(state, "~") : forgetFolder(state);
  const isKnown = target.kind === "literal" && another === undefined && !/^[-+]/.test(target.text);
  const isPhysical = words.some(({ text }) => /^-\w*P/.test(text)) && target.text.includes("..");
  return enterFolder(state, isKnown && !isPhysical && target.text !== "" ? target.text : null);
}
