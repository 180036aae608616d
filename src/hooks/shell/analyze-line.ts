// A shell line as its simple commands, seen through wrappers such as `sudo`, `xargs` and `sh -c`.
import { parse } from "unbash";
import type { Inner } from "./inner-command.ts";
import { joinWords, type LineAnalysis, type SimpleCommand } from "./line-analysis.ts";
import { unwrapCommand } from "./unwrap-command.ts";
import { walkScript } from "./walk-script.ts";

const LONGEST_LINE = 262_144;
const MOST_COMMANDS = 5_000;
const DEEPEST = 12;

interface Findings {
  readonly commands: SimpleCommand[];
  readonly unresolved: string[];
  problem: string | null;
}

/** Never throws: what cannot be read is said in `problem` or `unresolved`. */
export function analyzeLine(line: string): LineAnalysis {
  const findings: Findings = { commands: [], unresolved: [], problem: null };
  readText(line, 0, findings);
  markAliasUse(findings);
  return { line, ...findings };
}

function readText(text: string, depth: number, findings: Findings): void {
  findings.problem ??= findExcess(text);
  if (findings.problem !== null) return;
  try {
    const walk = walkScript(parse(text));
    const form = depth === 0 ? "typed" : "unwrapped";
    for (const command of walk.commands) addCommand({ ...command, form }, depth, findings);
    findings.problem ??= walk.problem;
  } catch (error) {
    // unbash 6.0.3 overflows the stack on some nestings (`f()f()f()…`).
    findings.problem ??= `it cannot be parsed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Inputs on which the parser takes time quadratic in their length, as measured with unbash 6.0.3. */
function findExcess(text: string): string | null {
  if (text.length > LONGEST_LINE) return "it is too long";
  if (text.includes("\0")) return "it contains a NUL character";
  if (countOf(text, /[$<>][([]/g) > 2_000) return "it has too many substitutions";
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
  if (depth > DEEPEST) findings.problem = "it is nested too deep";
  else if (findings.commands.length >= MOST_COMMANDS) findings.problem = "it has too many commands";
  else {
    findings.commands.push(command);
    const plain = withPlainName(command);
    if (plain !== command) findings.commands.push(plain);
    noteUnresolved(command, findings);
    for (const inner of unwrapCommand(plain)) addInner(inner, { command, depth, findings });
  }
}

interface Wrapped {
  readonly command: SimpleCommand;
  readonly depth: number;
  readonly findings: Findings;
}

function addInner(inner: Inner, { command, depth, findings }: Wrapped): void {
  if (inner.kind === "unseen") findings.unresolved.push(inner.what);
  else if (inner.kind === "text") {
    // What an expansion puts into a command string can be a command itself.
    if (inner.text.kind === "open") findings.unresolved.push(inner.text.text);
    readText(inner.text.text, depth + 1, findings);
  } else if (inner.words.length > 0) {
    const { words, takesMoreWords } = inner;
    const unwrapped: SimpleCommand = {
      words,
      text: joinWords(words),
      form: "unwrapped",
      assignments: [...command.assignments, ...inner.assignments],
      redirections: command.redirections,
      takesMoreWords: takesMoreWords || command.takesMoreWords,
    };
    addCommand(unwrapped, depth + 1, findings);
  }
}

/** `/usr/bin/git` and, for file systems that ignore case, `GIT` are `git` too. */
function withPlainName(command: SimpleCommand): SimpleCommand {
  const [first, ...rest] = command.words;
  if (first === undefined || first.kind !== "literal") return command;
  const base = first.text.slice(first.text.lastIndexOf("/") + 1).toLowerCase();
  if (base === "" || base === first.text) return command;
  const words = [{ ...first, text: base }, ...rest];
  return { ...command, words, text: joinWords(words), form: "base-name" };
}

function noteUnresolved(command: SimpleCommand, findings: Findings): void {
  const [first] = command.words;
  if (first === undefined) return;
  // zsh runs `=git` as the program that `git` names.
  if (first.kind !== "literal" || first.text === "" || first.text.startsWith("="))
    findings.unresolved.push(first.text);
}

/** An alias defined in the line: what its name runs is no longer what it says. */
function markAliasUse({ commands, unresolved }: Findings): void {
  const aliases = new Set<string>();
  for (const { words } of commands)
    if (words[0]?.text === "alias")
      for (const { text } of words.slice(1)) aliases.add(text.split("=", 1)[0] ?? "");
  if (aliases.size === 0) return;
  for (const { words, form } of commands)
    if (form !== "base-name" && words[0] !== undefined && aliases.has(words[0].text))
      unresolved.push(words[0].text);
}
