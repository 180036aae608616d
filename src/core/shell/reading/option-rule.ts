// Whether the words of a program are among those with which it only reads. What is not listed is not proven.
import type { ShellWord, SimpleCommand } from "../simple-command.ts";

export interface OptionRule {
  /** Short options without a value. */
  readonly flags?: string;
  /** Short options with one, attached or as the next word. */
  readonly valued?: string;
  /** Long options, without dashes; one with `=` behind it takes the next word where nothing is attached. */
  readonly long?: string;
  /** `-20`. */
  readonly numbers?: boolean;
  /** Single-dash words as a whole: `-name`, `-print`. */
  readonly words?: RegExp;
  readonly maxOperands?: number;
  /** What every operand must look like. */
  readonly operand?: RegExp;
}

/** Whether a program only reads with these words. */
export type Prove = (words: readonly ShellWord[], command: SimpleCommand) => boolean;

export const by =
  (rule: OptionRule): Prove =>
  (words, command) =>
    proveWords(words, rule, command) !== null;

interface ProvenWords {
  readonly operands: readonly ShellWord[];
  readonly values: readonly { readonly option: string; readonly word: ShellWord }[];
}

/** Null where a word is not among those that only read, or may turn out to be another. */
export function proveWords(
  words: readonly ShellWord[],
  rule: OptionRule,
  { takesMoreWords, found }: Pick<SimpleCommand, "takesMoreWords" | "found">,
): ProvenWords | null {
  if (takesMoreWords) return null;
  const operands: ShellWord[] = [];
  const values: { option: string; word: ShellWord }[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    if (word.text === "--" && word.kind === "literal") {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (mayBeOption(word, found !== null)) return null;
    if (!/^-./.test(word.text)) {
      operands.push(word);
      continue;
    }
    const reading = readOption(word, rule);
    if (reading === null) return null;
    if (reading.value !== null)
      values.push({ option: reading.option, word: { ...word, text: reading.value } });
    const next = words[index + 1];
    if (!reading.takesNext) continue;
    if (next === undefined || next.kind === "glob") return null;
    values.push({ option: reading.option, word: next });
    index++;
  }
  return areAllowed(operands, rule) ? { operands, values } : null;
}

function areAllowed(operands: readonly ShellWord[], { maxOperands, operand }: OptionRule): boolean {
  if (operands.length > (maxOperands ?? Number.POSITIVE_INFINITY)) return false;
  return (
    operand === undefined ||
    operands.every(({ text, kind }) => kind === "literal" && operand.test(text))
  );
}

/** A word that is only known when the line runs may be an option; `find` puts a path in the place of `{}`. */
function mayBeOption({ text, kind, isKept }: ShellWord, isFound: boolean): boolean {
  if (kind === "literal") return false;
  // What a substitution prints may begin with a dash.
  if (isKept === true) return true;
  if (text.includes("(") && !/^[<>]\(/.test(text)) return true;
  if (kind === "glob") return /^[*?[]/.test(text);
  return !(isFound && text.startsWith("{}")) && !/^([\w./~]|[<>]\()/.test(text);
}

interface OptionWord {
  readonly option: string;
  readonly value: string | null;
  readonly takesNext: boolean;
}

const without = (option: string): OptionWord => ({ option, value: null, takesNext: false });

function readOption({ text }: ShellWord, rule: OptionRule): OptionWord | null {
  if (rule.words?.test(text) === true) return without(text);
  if (text.startsWith("--")) return readLong(text, longOf(rule.long ?? ""));
  if (rule.numbers === true && /^-\d+$/.test(text)) return without(text);
  for (let index = 1; index < text.length; index++) {
    const letter = text[index] ?? "";
    const rest = text.slice(index + 1);
    if (rule.valued?.includes(letter) === true)
      return { option: `-${letter}`, value: rest === "" ? null : rest, takesNext: rest === "" };
    if (rule.flags?.includes(letter) !== true) return null;
  }
  return without(text);
}

function readLong(text: string, long: ReadonlyMap<string, boolean>): OptionWord | null {
  const at = text.indexOf("=");
  const name = text.slice(2, at === -1 ? undefined : at);
  const isValued = long.get(name);
  if (isValued === undefined) return null;
  if (at === -1) return { option: `--${name}`, value: null, takesNext: isValued };
  return { option: `--${name}`, value: text.slice(at + 1), takesNext: false };
}

const tables = new Map<string, ReadonlyMap<string, boolean>>();

/** The names with whether they take a value. */
function longOf(list: string): ReadonlyMap<string, boolean> {
  const known = tables.get(list);
  if (known !== undefined) return known;
  const names = list.trim().split(/\s+/);
  const table = new Map(names.map((name) => [name.replace("=", ""), name.endsWith("=")] as const));
  tables.set(list, table);
  return table;
}
