// Code of another language that stands elsewhere in a line than with the interpreter that runs it: `echo '…' | python3`,
// `cat > x.py <<E …; python3 x.py`.
import { effectsOf } from "./effects/effects-of.ts";
import { isInterpreter, programSource } from "./interpreters.ts";
import type { SimpleCommand } from "./simple-command.ts";

export interface CarriedCode {
  readonly text: string;
  /** The interpreter. */
  readonly reader: SimpleCommand;
}

/** What may be run so: every text of the line where an interpreter reads its input or runs a file that the line makes. */
export function carriedCode(commands: readonly SimpleCommand[]): readonly CarriedCode[] {
  const known = FOUND.get(commands);
  if (known !== undefined) return known;
  const found = findCarried(commands);
  FOUND.set(commands, found);
  return found;
}

/** Every guard asks for it, some of them for each command of a line. */
const FOUND = new WeakMap<readonly SimpleCommand[], readonly CarriedCode[]>();

function findCarried(commands: readonly SimpleCommand[]): CarriedCode[] {
  const reader = commands.find(isFed) ?? findRunningWritten(commands);
  if (reader === undefined) return [];
  return commands
    .filter(({ form }) => form !== "base-name")
    .map((each) => ({ text: textOf(each), reader }))
    .filter(({ text }) => text !== "");
}

const isFed = (command: SimpleCommand): boolean =>
  programSource(command) === "input" && bodiesOf(command).length === 0;

function findRunningWritten(commands: readonly SimpleCommand[]): SimpleCommand | undefined {
  const runners = commands.filter(({ words }) => isInterpreter(words[0]?.text ?? ""));
  if (runners.length === 0) return undefined;
  const written = new Set(
    commands.flatMap((command) =>
      effectsOf(command).flatMap(({ access, word }) =>
        access === "write" ? [nameOf(word.text)] : [],
      ),
    ),
  );
  return runners.find((runner) =>
    effectsOf(runner).some(
      ({ access, word }) => access === "execute" && written.has(nameOf(word.text)),
    ),
  );
}

/** The folder may be written otherwise in the two places. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const textOf = (command: SimpleCommand): string =>
  [...command.words.slice(1).map(({ text }) => text), ...bodiesOf(command)].join("\n");

const bodiesOf = ({ redirections }: SimpleCommand): string[] =>
  redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : []));
