// One simple command of the syntax tree, its words, assignments and redirections read.
import type { Command, Redirection, SyntaxNode } from "unbash";
import type { LineState } from "./line-state.ts";
import {
  joinShellWords,
  type LineAssignment,
  type LineRedirection,
  type ShellWord,
  type SimpleCommand,
} from "./simple-command.ts";
import { readAssignment, readOneWord, readTarget, readWords } from "./words.ts";

export function readCommand(command: Command, state: LineState): SimpleCommand {
  const words: ShellWord[] = command.name === undefined ? [] : [...readWords(command.name, state)];
  const typed: string[] = command.name === undefined ? [] : [command.name.value];
  const assignments: LineAssignment[] = [];
  for (const part of command.prefix)
    if (part.type === "Assignment") assignments.push(readAssignment(part, state));
  for (const argument of command.args) {
    if (argument.type === "Word") {
      words.push(...readWords(argument, state));
      typed.push(argument.value);
    } else {
      // `alias g='git push'`, `export A=b`: an argument that is an assignment at the same time.
      const { name, value } = readAssignment(argument, state);
      assignments.push({ name, value });
      words.push({ text: `${name}=${value.text}`, kind: value.kind });
      typed.push(argument.text);
    }
  }
  return {
    words,
    assignments,
    redirections: readRedirections(command.redirects, state),
    text: joinShellWords(words),
    typed: typed.join(" "),
    form: "typed",
    takesMoreWords: false,
    found: null,
    folders: state.folders,
  };
}

/** What is opened for a group of commands, as a command without words. */
export function readCompoundRedirections(
  redirects: readonly Redirection[],
  state: LineState,
): SimpleCommand {
  return {
    ...{ words: [], assignments: [], text: "", typed: "", form: "typed", takesMoreWords: false },
    redirections: readRedirections(redirects, state),
    found: null,
    folders: state.folders,
  };
}

function readRedirections(redirects: readonly Redirection[], state: LineState): LineRedirection[] {
  return redirects.flatMap((redirect): LineRedirection[] => {
    if (redirect.type === "HereDoc") {
      const { text, parts } = redirect.body;
      const { kind } = readOneWord({ value: text, parts }, state);
      return [{ kind: "text", body: { text, kind: kind === "open" ? "open" : "literal" } }];
    }
    if (redirect.target === undefined) return [];
    const target = readTarget(redirect.target, state);
    if (redirect.type === "HereString") return [{ kind: "text", body: target }];
    // `2>&1`, `>&-`: no file.
    if (redirect.operator.endsWith("&") && /^(\d+-?|-)$/.test(target.text)) return [];
    const writes = redirect.operator !== "<" && redirect.operator !== "<&";
    return [{ kind: "file", writes, target }];
  });
}

/** Nodes that hold no command but inside a script of their own. */
export const COMMAND_PARTS: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  ...(["Word", "Assignment", "ArrayValue", "Redirect", "HereString", "HereDoc"] as const),
  ...(["HereDocBody", "HereDocDelimiter", "FileDescriptor", "FileDescriptorVariable"] as const),
  ...(["Literal", "Glob", "SingleQuoted", "DoubleQuoted", "AnsiCQuoted", "LocaleString"] as const),
  ...([
    "SimpleExpansion",
    "ParameterExpansion",
    "CommandExpansion",
    "ArithmeticExpansion",
  ] as const),
  ...(["ProcessSubstitution", "ExtendedGlob", "BraceExpansion", "Default", "Remove"] as const),
  ...(["Replace", "Slice", "CaseModification", "Transform", "Names", "Unknown"] as const),
]);
