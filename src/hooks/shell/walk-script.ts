// The simple commands of a parsed script, in the order in which they are written.
import {
  type Command,
  forEachChild,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import type { LineAssignment, LineRedirection, ShellWord, SimpleCommand } from "./line-analysis.ts";
import { joinWords } from "./line-analysis.ts";
import { kindOf, readAssignment, readOneWord, readWord } from "./read-word.ts";

export interface Walk {
  readonly commands: readonly SimpleCommand[];
  readonly problem: string | null;
}

/** Every node counts; past this the line is too long to be looked at on every tool call. */
const MOST_NODES = 200_000;

export function walkScript(script: ParsedScript): Walk {
  const commands: SimpleCommand[] = [];
  let problem: string | null = null;
  let nodes = 0;
  const visit = (node: SyntaxNode): void => {
    if (++nodes > MOST_NODES) problem ??= "it has too many parts";
    if (problem === null || nodes <= MOST_NODES) {
      if (node.type === "Script") problem ??= firstError(node);
      if (node.type === "Command") commands.push(readCommand(node));
      if (node.type === "Redirected") commands.push(readCompoundRedirections(node.redirects));
      forEachChild(node, visit);
    }
  };
  visit(script);
  return { commands, problem };
}

function firstError(node: SyntaxNode & { readonly type: "Script" }): string | null {
  const errors = "errors" in node ? node.errors : undefined;
  return errors?.[0] === undefined ? null : `it does not parse: ${errors[0].message}`;
}

function readCommand(command: Command): SimpleCommand {
  const words: ShellWord[] = command.name === undefined ? [] : [...readWord(command.name)];
  const assignments: LineAssignment[] = [];
  for (const part of command.prefix)
    if (part.type === "Assignment") assignments.push(readAssignment(part));
  for (const argument of command.args) {
    if (argument.type === "Word") words.push(...readWord(argument));
    else {
      // `alias g='git push'`, `export A=b`: an argument that is an assignment at the same time.
      const { name, value } = readAssignment(argument);
      assignments.push({ name, value });
      words.push({ text: `${name}=${value.text}`, kind: value.kind });
    }
  }
  const redirections = readRedirections(command.redirects);
  return describeCommand({ words, assignments, redirections });
}

function readCompoundRedirections(redirects: readonly Redirection[]): SimpleCommand {
  return describeCommand({ words: [], assignments: [], redirections: readRedirections(redirects) });
}

const describeCommand = (
  parts: Pick<SimpleCommand, "words" | "assignments" | "redirections">,
): SimpleCommand => ({
  ...parts,
  text: joinWords(parts.words),
  form: "typed",
  takesMoreWords: false,
});

function readRedirections(redirects: readonly Redirection[]): LineRedirection[] {
  return redirects.flatMap((redirect): LineRedirection[] => {
    if (redirect.type === "HereDoc") {
      const { text, parts } = redirect.body;
      return [{ kind: "text", body: { text, kind: kindOf(parts ?? []) } }];
    }
    if (redirect.target === undefined) return [];
    const target = readOneWord(redirect.target);
    if (redirect.type === "HereString") return [{ kind: "text", body: target }];
    // `2>&1`, `>&-`: no file.
    if (redirect.operator.endsWith("&") && /^(\d+-?|-)$/.test(target.text)) return [];
    const writes = redirect.operator !== "<" && redirect.operator !== "<&";
    return [{ kind: "file", writes, target }];
  });
}
