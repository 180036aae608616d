// What a substitution is known to give before it runs: files below a folder (`$(git ls-files src)`), the
// branch that is checked out. A variable keeps it, and so does the variable of a loop over it.
import type { For, ParsedScript, Redirected, Statement, While, Word } from "unbash";
import { isCurrentBranch } from "./git/arguments.ts";
import { countedTexts } from "./known-output.ts";
import { type LineState, setVariable } from "./line-state.ts";
import { readCommand } from "./read-command.ts";
import { filesPrintedBy } from "./script/fed-files.ts";
import { runsAtEnd } from "./shell-builtins.ts";
import {
  type FoundFiles,
  NAME_GLOB,
  type ShellWord,
  type SimpleCommand,
} from "./simple-command.ts";
import { readWords, spanOf } from "./words.ts";

type CommandNode = Parameters<typeof readCommand>[0];

/** A command with what its substitutions are known to give put in. */
export function readKnownCommand(node: CommandNode, state: LineState): SimpleCommand {
  const command = readCommand(node, state);
  const known = (each: Word): ShellWord | null => knownWord(each, state);
  const values = new Map<string, ShellWord>();
  for (const part of node.prefix.concat(node.args.filter((each) => each.type === "Assignment"))) {
    if (part.type !== "Assignment" || part.value.type !== "Word" || part.append === true) continue;
    const value = part.index === undefined ? known(part.value) : null;
    if (value !== null) values.set(part.name, value);
  }
  const words = new Map<number, ShellWord>();
  for (const part of node.args) {
    const value = part.type === "Word" ? known(part) : null;
    if (value !== null) words.set(part.pos, value);
  }
  if (values.size + words.size === 0) return takeFound(command);
  const replaced = command.words.map((word) => {
    const at = word.kind === "open" ? spanOf(word)?.[0] : undefined;
    return (at === undefined ? undefined : words.get(at)) ?? word;
  });
  const assignments = command.assignments.map((each) => ({
    name: each.name,
    value: (each.value.kind === "open" ? values.get(each.name) : undefined) ?? each.value,
  }));
  return takeFound({ ...command, words: replaced, assignments });
}

/** `{}` stands for one thing only: where it would be two, neither is known. */
function takeFound(command: SimpleCommand): SimpleCommand {
  const targets = command.redirections.map((each) => (each.kind === "file" ? each.target : null));
  const all = [...command.words, ...targets].flatMap((word) => word?.found ?? []);
  const [found, another] = new Set(all);
  if (found === undefined) return command;
  if (another === undefined) return { ...command, found };
  const asOpen = (word: ShellWord): ShellWord =>
    word.found === undefined ? word : { text: "$(…)", kind: "open" };
  const redirections = command.redirections.map((each) =>
    each.kind === "file" ? { ...each, target: asOpen(each.target) } : each,
  );
  return { ...command, words: command.words.map(asOpen), redirections };
}

/** A trap with the variables that its text finds when it runs: those that the line names without `$` in one place only. */
export function withKept(
  command: SimpleCommand,
  { variables }: LineState,
  line: string,
): SimpleCommand {
  if (!runsAtEnd(command.words) || countOf(line, "trap") !== 1) return command;
  const kept = [...variables].filter(
    ([name]) => name.startsWith("$(") || countOf(line, name) === 1,
  );
  return { ...command, kept: new Map(kept) };
}

/** How often a name stands in a line where it is not asked for its value. */
const countOf = (line: string, name: string): number =>
  /^[A-Za-z_]\w*$/.test(name)
    ? [...line.matchAll(new RegExp(`(?<![\\w$]|\\$\\{)${name}\\b`, "g"))].length
    : 0;

/** Of a word that is one substitution as a whole. */
function knownWord(word: Word, state: LineState): ShellWord | null {
  const [part, another] = word.parts ?? [];
  const [inner, more] = part?.type === "DoubleQuoted" ? part.parts : [part];
  if (inner?.type !== "CommandExpansion" || (another ?? more) !== undefined) return null;
  if (isCurrentBranch(inner.text)) return { text: inner.text, kind: "open", isKept: true };
  return asFound(filesOf(inner.script, state));
}

const asFound = (found: FoundFiles | null): ShellWord | null =>
  found === null ? null : { text: "{}", kind: "open", isKept: true, found };

/** The files whose names a script of one pipeline prints. */
function filesOf(script: ParsedScript | undefined, state: LineState): FoundFiles | null {
  const [statement, another] = script?.commands ?? [];
  if (statement === undefined || another !== undefined) return null;
  const command = withoutOrTrue(statement.command);
  if (command === null) return null;
  const stages = command.type === "Pipeline" ? command.commands : [command];
  let fed: FoundFiles | null = null;
  for (const [index, stage] of stages.entries()) {
    if (stage.type !== "Command" || (index > 0 && fed === null)) return null;
    fed = filesPrintedBy(readCommand(stage, state), fed);
  }
  return fed;
}

/** `grep -l x src || true` prints what the first does. */
function withoutOrTrue(command: Statement["command"]): Statement["command"] | null {
  if (command.type !== "AndOr") return command;
  const [first, last, another] = command.commands;
  const isTrue = last?.type === "Command" && last.name?.value === "true" && last.args.length === 0;
  const isOnly = command.operators[0] === "||" && isTrue && another === undefined;
  return isOnly && last.redirects.length === 0 ? (first ?? null) : null;
}

/** Null where a value is only known when the line runs, or there are too many. */
export function listedValues({ wordlist }: For, state: LineState): readonly ShellWord[] | null {
  if (wordlist === undefined) return null;
  const values: ShellWord[] = [];
  for (const word of wordlist) {
    const [part] = word.parts ?? [];
    const isWhole = part?.type === "CommandExpansion" && part.text === word.text;
    const counted = isWhole ? countedTexts(part.text, state) : null;
    const texts = counted?.map((text): ShellWord => ({ text, kind: "literal" }));
    values.push(...(texts ?? (isWhole ? namesIn(part.text) : null) ?? readWords(word, state)));
    if (values.length > MAX_LOOP_VALUES) return null;
  }
  return values.length === 0 || values.some(({ kind }) => kind === "open") ? null : values;
}

const MAX_LOOP_VALUES = 16;

const LISTS_FOLDER = /^(?:\$\(|`)\s?ls(?: -[1trSv]{1,5})?(?: ([\w./-]{1,200}))?\s?[)`]$/;

/** `$(ls packages)`: the names in it, or its own if it is a file. */
function namesIn(expansion: string): readonly ShellWord[] | null {
  const match = LISTS_FOLDER.exec(expansion);
  if (match === null || match[1]?.startsWith("-") === true) return null;
  const own = match[1] === undefined ? [] : [{ text: match[1], kind: "literal" } as const];
  return [{ text: "*", kind: "glob" }, ...own];
}

const PRINTS_COMMITS =
  /^(?:\$\(|`)\s?git (?:rev-list|log --(?:format|pretty)=["']?(?:format:)?%[hH]["']?)(?: (?:--(?:reverse|all|no-merges|first-parent|(?:max-count|since)=\w{1,20})|-n ?\d{1,4}|-\d{1,4}|\w[\w./~^@-]{0,100}|"?\$\w{1,40}"?\.\.\w[\w./-]{0,60})){0,8}\s?[)`]$/;

/** `for f in $(git ls-files)`, `for f in $files`: what the variable stands for. */
export function valueOfFor({ wordlist = [] }: For, state: LineState): ShellWord | null {
  const [word, another] = wordlist;
  if (word === undefined || another !== undefined) return null;
  const [part] = word.parts ?? [];
  if (part?.type === "CommandExpansion" && PRINTS_COMMITS.test(word.text))
    return { text: NAME_GLOB, kind: "glob" };
  const value = knownWord(word, state) ?? readWords(word, state)[0];
  return value?.found === undefined ? null : value;
}

/** `git ls-files | while read -r f`: the state behind the condition, in which the variable stands for a file. */
export function afterReading(
  { clause }: While,
  fed: FoundFiles | null,
  state: LineState,
): LineState {
  const [statement, another] = clause.commands;
  const command = statement?.command;
  const value = asFound(fed);
  if (command?.type !== "Command" || another !== undefined || value === null) return state;
  const { words } = readCommand(command, state);
  const [name, more] = words
    .slice(1)
    .filter(({ text }, index) => !/^(-\w*|)$/.test(text) && words[index]?.text !== "-d");
  const isRead = words[0]?.text === "read" && name !== undefined && more === undefined;
  return isRead && /^[A-Za-z_]\w*$/.test(name.text) ? setVariable(state, name.text, value) : state;
}

/** `done < <(git ls-files)`. */
export function fedByRedirection({ redirects }: Redirected, state: LineState): FoundFiles | null {
  const [redirect, another] = redirects;
  if (redirect?.type !== "Redirect" || redirect.operator !== "<" || another !== undefined)
    return null;
  const [part] = redirect.target?.parts ?? [];
  return part?.type === "ProcessSubstitution" && part.operator === "<"
    ? filesOf(part.script, state)
    : null;
}

/** `sh -c 'cat "$1"' _ {}`: the parameters of a line in a line; `find` may put a file for `{}`. */
export function withParameters(
  state: LineState,
  parameters: readonly ShellWord[],
  found: FoundFiles | null,
): LineState {
  const values = parameters.map((word): ShellWord | null =>
    word.kind === "open" && word.text === "{}" ? asFound(word.found ?? found) : word,
  );
  const named = values.reduce(
    (after, value, index) => setVariable(after, `${index}`, value),
    state,
  );
  const [, first = null, another] = values;
  return values.length > 1 && another === undefined ? setVariable(named, "@", first) : named;
}
