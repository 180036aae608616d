// `run() { "$@" | tail; }; run npm test`: a function that runs the words it is called with. Where all its calls stand in
// the line, what it runs is known.
import { joinShellWords, type SimpleCommand } from "../simple-command.ts";

/** The commands of a function's body, from the first up to the one behind the last. */
export interface FunctionBody {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** By these a function is called in other ways than by its name at the beginning of a command. */
const CALLS_OTHERWISE =
  /^(eval|trap|alias|mapfile|readarray|compgen|complete|source|\.|parallel|exec|enable|bind|set|shift|coproc)$/;
const MAX_CALLS = 50;

/** The commands with the words of each call in the place of `"$@"`. */
export function passArguments(
  commands: readonly SimpleCommand[],
  bodies: readonly FunctionBody[],
): readonly SimpleCommand[] {
  const runsArguments = ({ words: [first] }: SimpleCommand): boolean =>
    first?.kind === "open" && /^\$(@|\{@\})$/.test(first.text);
  if (bodies.length === 0 || bodies.length > MAX_CALLS) return commands;
  if (!commands.some(runsArguments) || commands.some(isCalledOtherwise)) return commands;
  return commands.flatMap((command, index) => {
    const own = bodies.filter(({ from, to }) => index >= from && index < to);
    const [body, another] = own;
    if (body === undefined || another !== undefined || !runsArguments(command)) return [command];
    const calls = commands.filter(({ words: [first] }) => first?.text === body.name);
    const isDefinedOnce = bodies.filter(({ name }) => name === body.name).length === 1;
    if (!isDefinedOnce || calls.length === 0 || calls.length > MAX_CALLS) return [command];
    return calls.map((call): SimpleCommand => {
      const words = [...call.words.slice(1), ...command.words.slice(1)];
      const text = joinShellWords(words);
      return { ...command, words, text, typed: text, found: call.found };
    });
  });
}

const isCalledOtherwise = ({ words: [first, ...rest], assignments }: SimpleCommand): boolean =>
  CALLS_OTHERWISE.test(first?.text ?? "") ||
  (/^(export|declare|typeset)$/.test(first?.text ?? "") &&
    rest.some(({ text }) => /^-\w*f/.test(text))) ||
  assignments.some(({ name }) => /^(PROMPT_COMMAND|PS\d|BASH_\w+)$/.test(name));
