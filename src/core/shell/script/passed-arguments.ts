// `run() { "$@" | tail; }; run npm test`: a function that runs the words it is called with. Where all its calls stand in
// the line, what it runs is known.
import { type Function as FunctionNode, forEachChild, type SyntaxNode } from "unbash";
import { joinShellWords, type SimpleCommand } from "../simple-command.ts";

/** The commands of a function's body, from the first up to the one behind the last. */
export interface FunctionBody {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** How many of its words it takes away before it runs the others; null where that is not known. */
  readonly shifts: number | null;
}

/** By these a function is called in other ways than by its name at the beginning of a command. */
const CALLS_OTHERWISE =
  /^(eval|trap|alias|mapfile|readarray|compgen|complete|source|\.|parallel|exec|enable|bind|coproc)$/;
/** `set -euo pipefail`; what else it is told are words. */
const SETS_OPTIONS = /^([-+][euxo]+|pipefail|errexit|nounset|xtrace)$/;
const MAX_CALLS = 50;

/** `local name="$1"; shift` at the beginning of a body; null where a `shift` stands anywhere else. */
export function shiftsOf(body: FunctionNode["body"]): number | null {
  const statements = body.type === "BraceGroup" ? body.body.commands : null;
  let count = 0;
  for (const { command, background } of statements ?? []) {
    const name = command.type === "Command" ? command.name?.value : undefined;
    const isPlain = command.type === "Command" && background !== true && command.args.length === 0;
    if (name === "shift" && isPlain) count++;
    else if (!/^[a-z][\w-]*$/.test(name ?? "") || /^(return|exit|set)$/.test(name ?? "")) break;
  }
  return statements !== null && countShifts(body) === count ? count : null;
}

function countShifts(node: SyntaxNode): number {
  let count = node.type === "Command" && node.name?.value === "shift" ? 1 : 0;
  forEachChild(node, (child) => {
    count += countShifts(child);
  });
  return count;
}

/** The commands with the words of each call in the place of `"$@"`. */
export function passArguments(
  commands: readonly SimpleCommand[],
  bodies: readonly FunctionBody[],
): readonly SimpleCommand[] {
  const runsArguments = ({ words: [first] }: SimpleCommand): boolean =>
    first?.kind === "open" && /^\$(@|\{@\})$/.test(first.text);
  if (bodies.length === 0 || bodies.length > MAX_CALLS) return commands;
  if (!commands.some(runsArguments) || commands.some(isCalledOtherwise)) return commands;
  const isShift = ({ words: [first] }: SimpleCommand): boolean => first?.text === "shift";
  if (commands.some(isShift) && bodies.some(({ shifts }) => shifts === null)) return commands;
  return commands.flatMap((command, index) => {
    const own = bodies.filter(({ from, to }) => index >= from && index < to);
    const [body, another] = own;
    if (body === undefined || another !== undefined || !runsArguments(command)) return [command];
    const calls = commands.filter(({ words: [first] }) => first?.text === body.name);
    const isDefinedOnce = bodies.filter(({ name }) => name === body.name).length === 1;
    if (!isDefinedOnce || calls.length === 0 || calls.length > MAX_CALLS) return [command];
    return calls.map((call): SimpleCommand => {
      const words = [...call.words.slice(1 + (body.shifts ?? 0)), ...command.words.slice(1)];
      const text = joinShellWords(words);
      return { ...command, words, text, typed: text, found: call.found };
    });
  });
}

const isCalledOtherwise = ({ words: [first, ...rest], assignments }: SimpleCommand): boolean =>
  CALLS_OTHERWISE.test(first?.text ?? "") ||
  (first?.text === "set" && !rest.every(({ text }) => SETS_OPTIONS.test(text))) ||
  (/^(export|declare|typeset)$/.test(first?.text ?? "") &&
    rest.some(({ text }) => /^-\w*f/.test(text))) ||
  assignments.some(({ name }) => /^(PROMPT_COMMAND|PS\d|BASH_\w+)$/.test(name));
