// A shell line as its simple commands, seen through wrappers such as `sudo`, `xargs` and `sh -c`.
import { parse } from "unbash";
import type { StepSubject } from "../step/envelope.ts";
import { carriedCode } from "./carried-code.ts";
import { NO_SCRIPTS, scriptRuns, writtenRuns, writtenScripts } from "./effects/written-scripts.ts";
import { readsProgramText } from "./interpreters.ts";
import {
  aliasedCalls,
  isKnownOutput,
  type LinePlace,
  mayRedefine,
  startFor,
} from "./known-output.ts";
import { withParameters } from "./known-values.ts";
import { changeFolder, type LineState, START } from "./line-state.ts";
import { walkScript } from "./script/walk-script.ts";
import {
  type FoundFiles,
  type InnerCommand,
  joinShellWords,
  type LineAnalysis,
  type SimpleCommand,
  type Unsure,
  type UnsureKind,
} from "./simple-command.ts";
import { unwrapCommand } from "./wrappers/unwrap.ts";
import { linesInCode } from "./wrappers/unwrap-text.ts";

const MAX_LINE_LENGTH = 262_144;
const MAX_COMMANDS = 5_000;
const MAX_DEPTH = 12;

interface Findings {
  readonly commands: SimpleCommand[];
  readonly unsure: Unsure[];
  problem: string | null;
  /** How much text was parsed, a line inside of a line counted again. */
  parsed: number;
}

/** Every rule asks for the lines of a step, which is described anew in between, so the text is the key. */
const recent = new Map<string, LineAnalysis>();
const MAX_RECENT = 8;

/** Never throws: what cannot be read is said in `problem` or `unsure`. A line is taken apart once, whoever asks for it. */
export function analyzeLine(line: string, place: LinePlace | null = null): LineAnalysis {
  const key = `${place?.folder ?? ""}\0${place?.workTree ?? ""}\0${line}`;
  const analysis = recent.get(key) ?? takeApart(line, place);
  recent.delete(key);
  const [oldest] = recent.keys();
  if (oldest !== undefined && recent.size >= MAX_RECENT) recent.delete(oldest);
  recent.set(key, analysis);
  return analysis;
}

function takeApart(line: string, place: LinePlace | null): LineAnalysis {
  const findings: Findings = { commands: [], unsure: [], problem: null, parsed: 0 };
  readText(line, { depth: 0, state: startFor(line, place), findings });
  readCarriedCode(findings);
  const aliased = aliasedCalls(findings.commands);
  findings.unsure.push(...aliased.map((text) => ({ kind: "program", text }) as const));
  const scripts =
    findings.unsure.length === 0 ? writtenScripts(findings.commands, line) : NO_SCRIPTS;
  const runs = scriptRuns(findings.commands, scripts);
  for (const { text, folders } of runs)
    readText(text, { depth: 1, state: { ...START, folders }, findings });
  const read = new Set(runs.map(({ path }) => path));
  findings.unsure.push(...writtenRuns(findings.commands, read));
  const { commands, unsure, problem } = findings;
  const output = unsure.find(({ text }) => isKnownOutput(text));
  if (output !== undefined && mayRedefine(line)) unsure.push({ ...output, kind: "program" });
  const unresolved = unsure.flatMap(({ kind, text }) => (HIDES_PROGRAM.has(kind) ? [text] : []));
  return { line, commands, problem, unsure, unresolved };
}

const HIDES_PROGRAM: ReadonlySet<UnsureKind> = new Set<UnsureKind>(["program", "shell-input"]);

interface Reading {
  readonly depth: number;
  readonly state: LineState;
  readonly findings: Findings;
}

function readText(text: string, { depth, state, findings }: Reading): void {
  findings.problem ??= findExcess(text);
  findings.parsed += text.length;
  if (findings.parsed > 2 * MAX_LINE_LENGTH)
    findings.problem ??= "it holds too many lines in lines";
  if (findings.problem !== null) return;
  try {
    const walk = walkScript(parse(text), state, text);
    const form = depth === 0 ? "typed" : "unwrapped";
    for (const command of walk.commands) addCommand({ ...command, form }, depth, findings);
    findings.problem ??= walk.problem;
    findings.unsure.push(...walk.expressions);
  } catch (error) {
    // unbash 6.0.3 overflows the stack on some nestings (`f()f()f()…`).
    findings.problem ??= `it cannot be parsed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Inputs on which the parser takes time quadratic in their length, as measured with unbash 6.0.3. */
function findExcess(text: string): string | null {
  if (text.length > MAX_LINE_LENGTH) return "it is longer than 256 KB; put it into a file";
  if (text.includes("\0")) return "it contains a NUL character";
  if (countOf(text, /[$<>][([]/g) > 2_000) return "it has too many substitutions";
  if (countOf(text, /\$(?:\(\(|\[)/g) > 200) return "it has too many arithmetic expansions";
  if (countOf(text, /[;&|\n]/g) > 20_000) return "it has too many commands";
  if (countOf(text, /<</g) > 500) return "it has too many here-documents";
  if (mostBracesInWord(text) > 1_000) return "it has too many braces";
  return null;
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function mostBracesInWord(text: string): number {
  if (!text.includes("{")) return 0;
  let most = 0;
  for (const word of text.split(/\s/)) most = Math.max(most, word.split("{").length - 1);
  return most;
}

function addCommand(command: SimpleCommand, depth: number, findings: Findings): void {
  if (findings.problem !== null) return;
  if (depth > MAX_DEPTH) findings.problem = "it is nested too deep";
  else if (findings.commands.length >= MAX_COMMANDS) findings.problem = "it has too many commands";
  else {
    findings.commands.push(command);
    const plain = withPlainName(command);
    if (plain !== command) findings.commands.push(plain);
    noteUnsure(command, findings);
    for (const inner of unwrapCommand(plain)) addInner(inner, { command, depth, findings });
  }
}

interface Wrapped {
  readonly command: SimpleCommand;
  readonly depth: number;
  readonly findings: Findings;
}

function addInner(inner: InnerCommand, { command, depth, findings }: Wrapped): void {
  const { folders } = command;
  if (inner.kind === "unseen")
    findings.unsure.push({ kind: inner.why ?? "program", text: inner.what });
  else if (inner.kind === "text" && inner.isGuess === true) {
    const guess: Findings = { ...findings, commands: [], unsure: [], problem: null };
    readText(inner.text.text, { depth: depth + 1, state: { ...START, folders }, findings: guess });
    findings.parsed = guess.parsed;
    if (guess.problem === null) findings.commands.push(...guess.commands);
  } else if (inner.kind === "text") {
    // What an expansion puts into a command string can be a command itself.
    if (inner.text.kind === "open")
      findings.unsure.push({ kind: "program", text: inner.text.text });
    const { variables } = command.kept === undefined ? START : { variables: command.kept };
    const state = withParameters({ variables, folders }, inner.parameters ?? [], command.found);
    readText(inner.text.text, { depth: depth + 1, state, findings });
  } else if (inner.words.length > 0) {
    const { words, takesMoreWords, folder } = inner;
    const text = joinShellWords(words);
    const unwrapped: SimpleCommand = {
      words,
      text,
      typed: text,
      form: "unwrapped",
      assignments: [...command.assignments, ...inner.assignments],
      redirections: command.redirections,
      takesMoreWords: takesMoreWords || command.takesMoreWords,
      ...(command.takesBranches === true && words[0]?.text === "git"
        ? { takesBranches: true }
        : {}),
      found: joinFound(inner.found, command.found),
      folders: folder === undefined ? folders : folders.map((from) => changeFolder(from, folder)),
    };
    addCommand(unwrapped, depth + 1, findings);
  } else if (inner.takesMoreWords || command.takesMoreWords)
    findings.unsure.push({ kind: "program", text: command.text });
}

/** `{}` cannot stand for two things. */
const joinFound = (own: FoundFiles | undefined, outer: FoundFiles | null): FoundFiles | null =>
  own === undefined ? outer : outer === null ? own : null;

/** `/usr/bin/git`, `git.exe` and, for file systems that ignore case, `GIT` are `git` too. */
function withPlainName(command: SimpleCommand): SimpleCommand {
  const [first, ...rest] = command.words;
  if (first === undefined || first.kind !== "literal") return command;
  const name = first.text.slice(first.text.lastIndexOf("/") + 1).toLowerCase();
  const base = name.replace(/\.exe$/, "");
  // Each subcommand of git is a program of its own too: `/usr/lib/git-core/git-reset`.
  const names = /^git-[a-z]/.test(base) ? ["git", base.slice("git-".length)] : [base];
  if (base === "" || names.join() === first.text) return command;
  const words = [...names.map((text) => ({ ...first, text })), ...rest];
  return { ...command, words, text: joinShellWords(words), form: "base-name" };
}

/** A file, or code, that a shell or an interpreter runs before its own. */
const START_UP = /^(BASH_ENV|PERL5DB|PYTHONSTARTUP)$/;
/** Only of this is `ENV` the file that is run first. */
const INTERACTIVE_SHELL = /^(da|k|mk|a)?sh .*-[a-z]*i/;

function noteUnsure(command: SimpleCommand, { unsure }: Findings): void {
  for (const redirection of command.redirections)
    if (redirection.kind === "file" && redirection.target.kind === "open")
      unsure.push({ kind: "redirect", text: redirection.target.text });
  for (const { name, value } of command.assignments)
    if (
      (START_UP.test(name) || (name === "ENV" && INTERACTIVE_SHELL.test(command.text))) &&
      value.text !== "" &&
      value.text !== "/dev/null"
    )
      unsure.push({ kind: "shell-input", text: `${name}=${value.text}` });
  const [first] = command.words;
  if (first === undefined) return;
  // zsh runs `=git` as the program that `git` names.
  if (first.kind !== "literal" || first.text === "" || first.text.startsWith("="))
    unsure.push({ kind: "program", text: first.text });
  if (!readsProgramText(command)) return;
  const isDecoded = command.words.some(({ text }) => RUNS_DECODED.test(text));
  unsure.push({ kind: isDecoded ? "program" : "interpreter", text: command.text });
}

/** `eval(atob("…"))`: code that nobody can read until it runs. */
const RUNS_DECODED =
  /\b(?:eval|exec|Function|compile|vm\.run\w*)\b[^\n]{0,120}\b(?:atob|b64decode|base64|fromCharCode|unhexlify|fromhex|decode_base64|unpack|rot13|zlib|inflate\w*|decompress)\b/;

/** `echo 'system("git push")' | perl`: what an interpreter is handed may hold lines for a shell. */
function readCarriedCode(findings: Findings): void {
  for (const { text, reader } of carriedCode([...findings.commands]))
    for (const inner of linesInCode([{ text, kind: "literal" }]))
      addInner(inner, { command: { ...reader, redirections: [] }, depth: 0, findings });
}

/** The line of a step; null where the tool is no shell. */
export function analyzeStepLine({ line, envelope, workTree }: StepLine): LineAnalysis | null {
  if (line === null) return null;
  return analyzeLine(line, { folder: envelope.cwd, ...(workTree !== undefined && { workTree }) });
}

type StepLine = Pick<StepSubject, "line" | "workTree"> & {
  readonly envelope: Pick<StepSubject["envelope"], "cwd">;
};

/** The command words anywhere in the line that pass the test, in order, each once. */
export function mentionedCommands(line: string, isWanted: (word: string) => boolean): string[] {
  const found = new Set<string>();
  for (const { words, form } of analyzeLine(line).commands) {
    const name = words[0]?.text;
    if (name !== undefined && form !== "base-name" && isWanted(name)) found.add(name);
  }
  return [...found];
}
