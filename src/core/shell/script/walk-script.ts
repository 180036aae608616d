// The simple commands of a parsed script, in the order in which they are written, each with what is known where it
// stands. A loop over known values is gone through once for each.
import {
  type AndOr,
  type For,
  type Function as FunctionNode,
  forEachChild,
  type If,
  type ParsedScript,
  type Pipeline,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { findExpressions } from "../expressions.ts";
import {
  afterReading,
  fedByRedirection,
  listedValues,
  readKnownCommand,
  valueOfFor,
  withKept,
} from "../known-values.ts";
import {
  ANYWHERE,
  bothWays,
  joinStates,
  type LineState,
  type StateOutcome,
  settle,
  setVariable,
} from "../line-state.ts";
import { COMMAND_PARTS, readCompoundRedirections } from "../read-command.ts";
import { stateAfter } from "../shell-builtins.ts";
import type { FoundFiles, SimpleCommand, Unsure } from "../simple-command.ts";
import { DIVERTING_NAMES } from "../wrappers/wrappers.ts";
import { printsBranches, takesAllFromPipe } from "./fed-branches.ts";
import { filesPrintedBy } from "./fed-files.ts";
import { changesInWords, changesOf, forgetChanged, placeTraps } from "./loop-changes.ts";
import { type FunctionBody, passArguments, shiftsOf } from "./passed-arguments.ts";

interface ScriptWalk {
  readonly commands: readonly SimpleCommand[];
  readonly expressions: readonly Unsure[];
  readonly problem: string | null;
}

/** Every node counts; past this the line is too long to be looked at on every tool call. */
const MAX_NODES = 200_000;
const MAX_COMMANDS = 5_000;
/** Bodies gone through again for another value, over the whole script. */
const MAX_REPEATS = 64;

interface Walk {
  readonly commands: SimpleCommand[];
  /** Functions that the line defines: a call of one may change anything. */
  readonly functions: Set<string>;
  /** Whether any command of the script may change the folder. */
  readonly moves: boolean;
  /** What the pipeline feeds to the loop that is its next stage. */
  fed: FoundFiles | null;
  readonly bodies: FunctionBody[];
  /** What was parsed; empty where any variable may get another value. */
  readonly line: string;
  problem: string | null;
  nodes: number;
  repeats: number;
}

export function walkScript(script: ParsedScript, state: LineState, text = ""): ScriptWalk {
  const { isAny, movesFolder: moves } = changesInWords(script);
  const walk: Walk = {
    ...{ fed: null, bodies: [], line: isAny ? "" : text, moves },
    ...{ commands: [], functions: new Set() },
    ...{ problem: null, nodes: 0, repeats: 0 },
  };
  walkNode(script, state, walk);
  const { problem } = walk;
  const commands = placeTraps(passArguments(walk.commands, walk.bodies), walk.functions);
  const expressions = problem === null ? findExpressions(script) : [];
  return { commands, problem, expressions };
}

function walkNode(node: SyntaxNode, state: LineState, walk: Walk): StateOutcome {
  if (++walk.nodes > MAX_NODES) walk.problem ??= "it has too many parts";
  if (walk.commands.length > MAX_COMMANDS) walk.problem ??= "it has too many commands";
  if (walk.nodes > MAX_NODES || walk.commands.length > MAX_COMMANDS) return bothWays(state);
  switch (node.type) {
    case "Script":
      walk.problem ??= firstError(node);
      // What stands in a substitution runs in a shell of its own.
      walkStatements(node.commands, state, walk);
      return bothWays(state);
    case "CompoundList":
      return walkStatements(node.commands, state, walk);
    case "Statement":
      return walkStatement(node, state, walk);
    case "AndOr":
      return walkAndOr(node, state, walk);
    case "Pipeline":
      return walkPipeline(node, state, walk);
    case "Command": {
      const command = readKnownCommand(node, state);
      walk.commands.push(withKept(command, state, walk.line));
      visitParts(node, state, walk);
      const changes = changesInWords(node);
      const own = new Set(command.assignments.map(({ name }) => name));
      const others = [...changes.names].filter((name) => !own.has(name));
      noteDiverted(others, state, walk);
      return stateAfter(command, forgetChanged(state, changes), walk.functions);
    }
    case "Redirected":
      walk.commands.push(readCompoundRedirections(node.redirects, state));
      for (const redirect of node.redirects) visitParts(redirect, state, walk);
      walk.fed = fedByRedirection(node, state);
      return walkNode(node.command, state, walk);
    case "If":
      return walkIf(node, state, walk);
    case "For":
      return walkFor(node, state, walk);
    case "While":
    case "Select":
    case "ArithmeticFor":
      return walkLoop(node, state, walk);
    case "Subshell":
    case "Coproc":
      visitParts(node, state, walk);
      return bothWays(state);
    case "BraceGroup":
      return walkNode(node.body, state, walk);
    case "Function":
      return walkFunction(node, state, walk);
    case "Case": {
      let after: LineState | null = state;
      visitParts(node.word, state, walk);
      for (const item of node.items) {
        for (const pattern of item.pattern) visitParts(pattern, state, walk);
        // `;&` falls through with what the item before it changed.
        after = joinStates(after, settle(walkNode(item.body, after ?? state, walk)));
      }
      return bothWays(after ?? state);
    }
    default:
      visitParts(node, state, walk);
      noteDiverted(changesOf(node).names, state, walk);
      return bothWays(forgetChanged(state, changesOf(node)));
  }
}

function walkFunction(node: FunctionNode, state: LineState, walk: Walk): StateOutcome {
  const name = node.name.value;
  walk.functions.add(name);
  const from = walk.commands.length;
  // It is called anywhere behind, and perhaps in another folder by then.
  walkNode(node.body, walk.moves ? ANYWHERE : { ...ANYWHERE, folders: state.folders }, walk);
  walk.bodies.push({ name, from, to: walk.commands.length, shifts: shiftsOf(node.body) });
  return bothWays(state);
}

/** `for PATH in x` and `${PATH:=x}` assign as well. */
function noteDiverted(names: Iterable<string>, state: LineState, walk: Walk): void {
  for (const name of names)
    if (DIVERTING_NAMES.test(name)) {
      const assignments = [{ name, value: { text: "", kind: "open" } as const }];
      walk.commands.push({ ...readCompoundRedirections([], state), assignments });
    }
}

/** The words of a node, for the scripts inside them. */
function visitParts(node: SyntaxNode, state: LineState, walk: Walk): void {
  forEachChild(node, (child) => {
    if (COMMAND_PARTS.has(child.type)) {
      if (++walk.nodes > MAX_NODES) walk.problem ??= "it has too many parts";
      else visitParts(child, state, walk);
    } else walkNode(child, state, walk);
  });
}

function firstError(node: SyntaxNode & { readonly type: "Script" }): string | null {
  const errors = "errors" in node ? node.errors : undefined;
  return errors?.[0] === undefined ? null : `it does not parse: ${errors[0].message}`;
}

function walkStatements(
  statements: readonly Statement[],
  state: LineState,
  walk: Walk,
): StateOutcome {
  let outcome = bothWays(state);
  let from = state;
  for (const statement of statements) {
    // What comes after `exit` is looked at all the same.
    from = settle(outcome) ?? from;
    outcome = walkStatement(statement, from, walk);
  }
  return outcome;
}

function walkStatement(
  { command, background }: Statement,
  state: LineState,
  walk: Walk,
): StateOutcome {
  const outcome = walkNode(command, state, walk);
  return background === true ? bothWays(state) : outcome;
}

function walkAndOr({ commands, operators }: AndOr, state: LineState, walk: Walk): StateOutcome {
  let outcome = bothWays(state);
  for (const [index, command] of commands.entries()) {
    const before = outcome;
    const isOr = index > 0 && operators[index - 1] === "||";
    const from = (isOr ? before.failure : before.success) ?? settle(before) ?? state;
    const { success, failure } = walkNode(command, from, walk);
    if (index === 0) outcome = { success, failure };
    else if (isOr) outcome = { success: joinStates(before.success, success), failure };
    else outcome = { success, failure: joinStates(before.failure, failure) };
  }
  return outcome;
}

function walkPipeline(
  { commands, prefixes }: Pipeline,
  state: LineState,
  walk: Walk,
): StateOutcome {
  let outcome = bothWays(state);
  let fed: FoundFiles | null = null;
  let feedsBranches = false;
  for (const stage of commands) {
    const at = walk.commands.length;
    walk.fed = stage.type === "While" ? fed : null;
    outcome = walkNode(stage, state, walk);
    const command = stage.type === "Command" ? walk.commands[at] : undefined;
    if (command !== undefined && fed !== null)
      walk.commands[at] = { ...command, found: command.found === null ? fed : null };
    else if (command !== undefined && feedsBranches && takesAllFromPipe(command))
      walk.commands[at] = { ...command, takesBranches: true };
    fed = command === undefined ? null : filesPrintedBy(command, fed);
    feedsBranches =
      command !== undefined && !walk.functions.has("git") && printsBranches(command, feedsBranches);
  }
  if (commands.length > 1) {
    // bash runs the last one in a shell of its own, zsh does not.
    return bothWays(joinStates(state, settle(outcome)) ?? state);
  }
  const isNegated = prefixes.some((prefix) => prefix.type === "Negation");
  return isNegated ? { success: outcome.failure, failure: outcome.success } : outcome;
}

function walkIf(node: If, state: LineState, walk: Walk): StateOutcome {
  let after: LineState | null = null;
  let condition = walkNode(node.clause, state, walk);
  after = joinStates(after, settle(walkNode(node.then, condition.success ?? state, walk)));
  for (const branch of node.elif) {
    condition = walkNode(branch.clause, condition.failure ?? state, walk);
    after = joinStates(after, settle(walkNode(branch.then, condition.success ?? state, walk)));
  }
  const other = condition.failure ?? state;
  const last = node.else === undefined ? other : settle(walkNode(node.else, other, walk));
  return bothWays(joinStates(after, last) ?? state);
}

type Loop = Extract<SyntaxNode, { type: "While" | "Select" | "ArithmeticFor" | "For" }>;

/** A turn begins with what the one before it changed. */
function walkLoop(node: Loop, state: LineState, walk: Walk): StateOutcome {
  const { fed } = walk;
  walk.fed = null;
  if (node.type === "For" || node.type === "Select") noteDiverted([node.name.value], state, walk);
  let start = forgetChanged(state, changesOf(node));
  if (node.type === "For" || node.type === "Select")
    start = setVariable(
      start,
      node.name.value,
      node.type === "For" ? valueOfFor(node, state) : null,
    );
  let from = start;
  forEachChild(node, (child) => {
    if (child.type !== "CompoundList") visitParts(child, start, walk);
    else {
      from = walkNode(child, from, walk).success ?? start;
      if (node.type === "While" && child === node.clause) from = afterReading(node, fed, from);
    }
  });
  return bothWays(start);
}

function walkFor(node: For, state: LineState, walk: Walk): StateOutcome {
  const changes = changesOf(node);
  const values = listedValues(node, state);
  const isKnown =
    values !== null && !DIVERTING_NAMES.test(node.name.value) && changes.used.has(node.name.value);
  if (!isKnown || walk.repeats + values.length > MAX_REPEATS) return walkLoop(node, state, walk);
  walk.repeats += values.length - 1;
  for (const word of node.wordlist ?? []) visitParts(word, state, walk);
  const start = forgetChanged(state, changes);
  for (const value of values) walkNode(node.body, setVariable(start, node.name.value, value), walk);
  return bothWays(setVariable(start, node.name.value, null));
}
