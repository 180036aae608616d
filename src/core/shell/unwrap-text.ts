// Shell lines that stand inside the text of another program: `system("…")` of awk, `e …` of sed, `!…` of an editor, the
// actions of tar.
import type { InnerCommand, ShellWord, SimpleCommand } from "./simple-command.ts";

/** Longer texts are not searched: what they run is unseen. */
const MAX_TEXT = 20_000;

const AWK_LINES = [
  /\bsystem\s{0,9}\(\s{0,9}"((?:[^"\\]|\\.){1,2000})"/gs,
  /(?<!\|)\|&?\s{0,9}"((?:[^"\\]|\\.){1,2000})"/gs,
  /"((?:[^"\\]|\\.){1,2000})"\s{0,9}\|&?\s{0,9}getline\b/gs,
];

/** What stands in quotes; a line that is put together when it runs is not seen. */
export const unwrapAwk = (command: SimpleCommand): InnerCommand[] =>
  linesIn(command, wordsOf(command), AWK_LINES, (line) => line.replace(/\\(["\\/])/g, "$1"));

const SED_LINES = [/(?:^|[\n;{}0-9$/,!])\s{0,9}e[ \t]{1,9}([^\n]{1,2000})/g];

export const unwrapSed = (command: SimpleCommand): InnerCommand[] =>
  linesIn(command, wordsOf(command), SED_LINES);

const EDITOR_LINES = [
  /^[%\d,$.]{0,20}(?:sil(?:ent)?!?\s{1,9})?(?:(?:r|w|read|write)\s{1,9})?!(.{1,2000})$/gms,
  // Of gdb.
  /^shell\s{1,9}(.{1,2000})$/gms,
];

/** Of vim, ex and ed: `+!make`, `-c '%!sort'`, and what they are told on their standard input. */
export const unwrapEditor = (command: SimpleCommand): InnerCommand[] => {
  const told = wordsOf(command).map(({ text, kind }) => ({
    kind,
    text: text.replace(/^(?:\+|-c|--cmd=?)?:?/, ""),
  }));
  const typed = command.redirections.flatMap((each) =>
    each.kind === "text"
      ? each.body.text.split("\n").map((text) => ({ text, kind: each.body.kind }))
      : [],
  );
  return linesIn(command, [...told, ...typed], EDITOR_LINES);
};

const TAR_OPTION =
  /^--(?:checkpoint-action|to-command|use-compress-program|info-script|new-volume-script|rsh-command|rmt-command)(?:=(.*))?$/s;
const TAR_LETTER = /^-?[a-zA-Z]{0,20}[IF]$/;

/** What tar starts for each file, each checkpoint, or to compress. */
export function unwrapTar({ words }: SimpleCommand): InnerCommand[] {
  return words.flatMap((word, index): InnerCommand[] => {
    const long = TAR_OPTION.exec(word.text);
    const isSpaced =
      long === null ? index > 0 && TAR_LETTER.test(word.text) : long[1] === undefined;
    const value = isSpaced ? words[index + 1] : { text: long?.[1] ?? "", kind: word.kind };
    const text = value?.text.replace(/^exec=/, "") ?? "";
    return value === undefined || text === "" ? [] : [{ kind: "text", text: { ...value, text } }];
  });
}

const wordsOf = ({ words }: SimpleCommand): readonly ShellWord[] => words.slice(1);

function linesIn(
  command: SimpleCommand,
  words: readonly ShellWord[],
  patterns: readonly RegExp[],
  unquote: (line: string) => string = (line) => line,
): InnerCommand[] {
  const texts = words.filter(({ kind }) => kind !== "glob");
  if (texts.some(({ text }) => text.length > MAX_TEXT))
    return [{ kind: "unseen", what: command.text }];
  return texts.flatMap(({ text, kind }) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(
        ([, line = ""]): InnerCommand => ({ kind: "text", text: { text: unquote(line), kind } }),
      ),
    ),
  );
}
