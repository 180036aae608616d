// What a part of a script may change of the state, whichever way it goes.
import { forEachChild, type SyntaxNode } from "unbash";
import { forgetFolder, forgetVariables, type LineState, setVariable } from "../line-state.ts";
import type { SimpleCommand } from "../simple-command.ts";

interface Changes {
  readonly names: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
  readonly isAny: boolean;
  readonly movesFolder: boolean;
}

/** Nested loops look at their insides again; past this anything may have changed. */
const MAX_LOOKED_AT = 2_000;
const MOVES = /^(cd|chdir|pushd|popd|eval|source|\.|builtin|command|trap|alias)$/;
const SETS =
  /^(eval|source|\.|read|readarray|mapfile|printf|getopts|unset|declare|typeset|local|export|readonly|let|builtin|command|wait)$/;

/** `trap 'rm x' EXIT; cd src`: what a trap runs, it runs in the folder that the line is in by then. */
export function placeTraps(
  commands: readonly SimpleCommand[],
  functions: ReadonlySet<string>,
): readonly SimpleCommand[] {
  const last = commands.findLastIndex(
    ({ words: [first] }) =>
      first !== undefined &&
      first.text !== "trap" &&
      (first.kind === "open" || MOVES.test(first.text) || functions.has(first.text)),
  );
  return commands.map((command, index) =>
    index < last && command.words[0]?.text === "trap" && command.redirections.length === 0
      ? { ...command, folders: [null] }
      : command,
  );
}

/** By `$((x = 1))` and `${x:=1}` in the words of a command. */
export function changesInWords(node: SyntaxNode): Changes {
  return findChanges((visit) => forEachChild(node, visit));
}

export function changesOf(node: SyntaxNode): Changes {
  return findChanges((visit) => visit(node));
}

function findChanges(start: (visit: (node: SyntaxNode) => void) => void): Changes {
  const names = new Set<string>();
  const used = new Set<string>();
  let isAny = false;
  let movesFolder = false;
  let seen = 0;
  const visit = (child: SyntaxNode): void => {
    // A substitution is a shell of its own.
    if (child.type === "Script" || ++seen > MAX_LOOKED_AT) return;
    if (child.type === "Assignment") names.add(child.name);
    if (child.type === "For" || child.type === "Select") names.add(child.name.value);
    if (child.type === "FileDescriptorVariable") names.add(child.name);
    if (child.type === "SimpleExpansion") used.add(child.text.slice(1));
    if (child.type === "ParameterExpansion") {
      used.add(child.parameter);
      if (child.operation?.type === "Default" && child.operation.operator.includes("="))
        names.add(child.parameter);
    }
    if (child.type === "ArithmeticWord")
      for (const [name] of child.value.matchAll(/[A-Za-z_]\w*/g)) names.add(name);
    if (child.type === "Command" && child.name !== undefined) {
      const { value, parts } = child.name;
      isAny ||= parts !== undefined || SETS.test(value);
      movesFolder ||= parts !== undefined || MOVES.test(value);
    }
    forEachChild(child, visit);
  };
  start(visit);
  const isTooMuch = seen > MAX_LOOKED_AT;
  return { names, used, isAny: isAny || isTooMuch, movesFolder: movesFolder || isTooMuch };
}

export function forgetChanged(state: LineState, changes: Changes): LineState {
  const { names, isAny, movesFolder } = changes;
  let after = isAny ? forgetVariables(state) : state;
  if (movesFolder) after = forgetFolder(after);
  for (const name of names)
    if (after.variables.get(name) !== null) after = setVariable(after, name, null);
  return after;
}
