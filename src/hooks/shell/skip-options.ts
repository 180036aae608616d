import type { LineAssignment, ShellWord } from "./line-analysis.ts";
import type { WrapperOptions } from "./wrappers.ts";

export interface WrapperReading {
  /** From the command word on; empty where there is none. */
  readonly rest: readonly ShellWord[];
  readonly options: readonly string[];
  readonly assignments: readonly LineAssignment[];
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/** Passes over what belongs to the wrapper itself. The first word is the wrapper. */
export function skipOptions(words: readonly ShellWord[], rule: WrapperOptions): WrapperReading {
  const options: string[] = [];
  let index = 1;
  for (let word = words[index]; word !== undefined; word = words[index]) {
    if (!/^[-+]./.test(word.text)) break;
    index++;
    if (word.text === "--") break;
    options.push(word.text);
    if (takesNextWord(word.text, rule)) index++;
  }
  return { ...skipOperands(words.slice(index), rule), options };
}

function skipOperands(
  words: readonly ShellWord[],
  rule: WrapperOptions,
): Pick<WrapperReading, "rest" | "assignments"> {
  const rest = words.slice(rule.operands);
  const assignments: LineAssignment[] = [];
  if (!rule.takesAssignments) return { rest, assignments };
  let index = 0;
  for (; ; index++) {
    const word = rest[index];
    const match = word === undefined ? null : ASSIGNMENT.exec(word.text);
    if (word === undefined || match === null) break;
    const value: ShellWord = { text: match[2] ?? "", kind: word.kind };
    assignments.push({ name: match[1] ?? "", value });
  }
  return { rest: rest.slice(index), assignments };
}

function takesNextWord(option: string, { valued, valuedLong }: WrapperOptions): boolean {
  if (option.startsWith("--")) {
    const name = option.slice(2);
    // GNU programs accept a long option cut short.
    return !name.includes("=") && valuedLong.some((known) => known.startsWith(name));
  }
  const at = [...option.slice(1)].findIndex((letter) => valued.includes(letter));
  return at !== -1 && at === option.length - 2;
}
