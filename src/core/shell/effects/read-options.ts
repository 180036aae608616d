// The options and operands of a program's words, as the usual conventions have them.
import type { ShellWord } from "../simple-command.ts";

export interface OptionTable {
  /** Short options with a value. */
  readonly valued?: string;
  /** Long options whose value is the next word, without the dashes. */
  readonly valuedLong?: readonly string[];
}

export interface OptionReading {
  /** Each as written, without its value: `-r`, `--recursive`; letters that stand together are taken apart. */
  readonly options: readonly string[];
  readonly values: readonly { readonly option: string; readonly word: ShellWord }[];
  readonly operands: readonly ShellWord[];
}

export function readOptions(words: readonly ShellWord[], table: OptionTable): OptionReading {
  const options: string[] = [];
  const values: { option: string; word: ShellWord }[] = [];
  const operands: ShellWord[] = [];
  let index = 0;
  const take = (option: string): void => {
    const word = words[++index];
    if (word !== undefined) values.push({ option, word });
  };
  for (; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    if (word.text === "--") {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (!/^-./.test(word.text)) operands.push(word);
    else if (word.text.startsWith("--")) readLong(word, { table, options, values, take });
    else readShort(word, { table, options, values, take });
  }
  return { options, values, operands };
}

interface Draft {
  readonly table: OptionTable;
  readonly options: string[];
  readonly values: { option: string; word: ShellWord }[];
  readonly take: (option: string) => void;
}

function readLong(word: ShellWord, { table, options, values, take }: Draft): void {
  const at = word.text.indexOf("=");
  const option = at === -1 ? word.text : word.text.slice(0, at);
  options.push(option);
  if (at !== -1) values.push({ option, word: { ...word, text: word.text.slice(at + 1) } });
  else if (table.valuedLong?.includes(option.slice(2)) === true) take(option);
}

function readShort(word: ShellWord, { table, options, values, take }: Draft): void {
  const letters = word.text.slice(1);
  for (let index = 0; index < letters.length; index++) {
    const option = `-${letters[index] ?? ""}`;
    options.push(option);
    if (table.valued?.includes(letters[index] ?? "") !== true) continue;
    const rest = letters.slice(index + 1);
    if (rest === "") take(option);
    else values.push({ option, word: { ...word, text: rest } });
    return;
  }
}
