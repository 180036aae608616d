// What could stand at the cursor: names behind `/`, flags and values behind a name, files behind `@`. Pure.
import type { CommandSummary } from "../../../core/command/definition.ts";
import { type Candidate, completeWords } from "../../../core/commands/completion/words.ts";
import { type Editor, withText } from "./editor.ts";

export interface PaletteSources {
  readonly commands: readonly CommandSummary[];
  /** Names that are offered to nobody who has not typed all of them. */
  readonly hidden?: ReadonlySet<string>;
  /** Null while nobody asked for them. */
  readonly files: readonly string[] | null;
}

export interface CommandPalette {
  /** Where the word begins that a candidate takes the place of. */
  readonly from: number;
  readonly kind: "name" | "word" | "file";
  readonly candidates: readonly Candidate[];
}

const MAX_CANDIDATES = 50;
const COMMAND_NAME = /^\/([a-z0-9-]*)$/;
const AT_WORD = /(?:^|\s)@(\S*)$/;

/** Null where nothing is to be offered. Where nothing of a word is typed yet, only who asks is offered any. */
export function offer(
  { text, cursor }: Editor,
  sources: PaletteSources,
  isAsked: boolean,
): CommandPalette | null {
  const before = text.slice(0, cursor);
  const name = COMMAND_NAME.exec(before)?.[1];
  if (name !== undefined) return palette("name", 1, namesFor(name, sources));
  const file = AT_WORD.exec(before)?.[1];
  if (file !== undefined)
    return palette("file", cursor - file.length, filesFor(file, sources.files ?? []));
  return /^\/[a-z]/.test(before) ? offerWords(before, sources, isAsked) : null;
}

/** Whether files are asked for that nobody has looked for yet. */
export const wantsFiles = ({ text, cursor }: Editor, { files }: PaletteSources): boolean =>
  files === null && AT_WORD.test(text.slice(0, cursor));

function palette(
  kind: CommandPalette["kind"],
  from: number,
  candidates: readonly Candidate[],
): CommandPalette | null {
  if (candidates.length === 0) return null;
  return { kind, from, candidates: candidates.slice(0, MAX_CANDIDATES) };
}

/**
 * Those of the session first: they are what a console is for. What destroys something is offered to nobody who has not typed all
 * of its name, nor what a workflow's stage hides.
 */
const namesFor = (typed: string, { commands, hidden }: PaletteSources): Candidate[] =>
  commands
    .filter(({ name }) => name.startsWith(typed))
    .filter(({ name, safety }) => safety !== "destructive" || name === typed)
    .filter(({ name }) => hidden?.has(name) !== true || name === typed)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map(({ name, description }) => ({ value: name, description }));

const rankOf = ({ category }: CommandSummary): number => (category === "session" ? 0 : 1);

const filesFor = (typed: string, files: readonly string[]): Candidate[] => {
  const wanted = typed.toLowerCase();
  const begins = files.filter((file) => file.toLowerCase().startsWith(wanted));
  const holds = files.filter(
    (file) => !file.toLowerCase().startsWith(wanted) && file.toLowerCase().includes(wanted),
  );
  return [...begins, ...holds].map((value) => ({ value, description: "" }));
};

function offerWords(
  before: string,
  { commands, files, hidden }: PaletteSources,
  isAsked: boolean,
): CommandPalette | null {
  const words = before.slice(1).split(/\s+/);
  const current = words.at(-1) ?? "";
  const lookup = {
    names: () =>
      commands
        .filter(({ name }) => hidden?.has(name) !== true)
        .map(({ name, description }) => ({ value: name, description })),
    summaryOf: (name: string) => commands.find((one) => one.name === name) ?? null,
  };
  const found = completeWords(["adj", "run", ...words], words.length + 1, lookup);
  const from = before.length - current.length;
  if (found.files && found.candidates.length === 0 && current !== "")
    return palette("word", from, filesFor(current, files ?? []));
  return current === "" && !isAsked ? null : palette("word", from, found.candidates);
}

/** The candidate in the place of what was typed of it; the next word may follow. */
export function complete(editor: Editor, { from }: CommandPalette, { value }: Candidate): Editor {
  const { text, cursor } = editor;
  const rest = text.slice(cursor);
  const gap = rest.startsWith(" ") || value.endsWith("/") ? "" : " ";
  const head = `${text.slice(0, from)}${value}${gap}`;
  return withText(editor, head + rest, head.length);
}

/** The command that a line would run by its full name; null where no such name is known. */
export function namedCommand(
  text: string,
  { commands }: Pick<PaletteSources, "commands">,
): CommandSummary | null {
  const name = /^\/([a-z][a-z0-9-]*)(?:\s|$)/.exec(text)?.[1];
  return commands.find((one) => one.name === name || one.aliases.includes(name ?? "")) ?? null;
}
