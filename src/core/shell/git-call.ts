// A call of git: its own options, the subcommand, and the subcommand's words.
import { asHead, readGitArguments } from "./git/arguments.ts";
import { findGitRule } from "./git/hazards.ts";
import {
  findHidingVariable,
  type GitSetting,
  HOLDS_LINE,
  hidesByValue,
  MOVING_VARIABLE,
} from "./git/programs.ts";
import type { InnerCommand, ShellWord, SimpleCommand } from "./simple-command.ts";

export interface GitCall {
  /** Null where an expansion hides it; empty for `git` alone. */
  readonly subcommand: string | null;
  readonly args: readonly ShellWord[];
  /** The settings that `-c` and its like give. */
  readonly settings: readonly GitSetting[];
  /** Folders by `-C`, in order, each relative to the one before. */
  readonly folders: readonly string[];
  /** The repository is another than that of the folder, or the folder cannot be read. */
  readonly isElsewhere: boolean;
  /** More words come from elsewhere, or an expansion may be anything. */
  readonly isOpen: boolean;
  readonly takesMoreWords: boolean;
  /** Those words are names of branches. */
  readonly takesBranches: boolean;
  /** An option, setting or variable before the subcommand by which git runs something else; null where there is none. */
  readonly hiding: string | null;
}

const VALUED = new Set([
  ...["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix"],
  ...["--config-env", "--attr-source", "--list-cmds"],
]);
const MOVING_OPTION = /^--(git-dir|work-tree|namespace|bare)/;
const PLAIN_OPTION =
  /^(-C|-c|-p|-P|-h|-v|--paginate|--no-pager|--no-replace-objects|--no-lazy-fetch|--no-optional-locks|--no-advice|--(no)?literal-pathspecs|--(no)?glob-pathspecs|--icase-pathspecs|--bare|--version|--help|--html-path|--man-path|--info-path|--exec-path|--(git-dir|work-tree|namespace|attr-source|list-cmds)(=.*)?)$/s;

export function readGitCall(command: SimpleCommand): GitCall | null {
  const [first, ...words] = command.words;
  if (first?.kind !== "literal" || first.text !== "git") return null;
  const settings: GitSetting[] = [];
  const folders: string[] = [];
  let isElsewhere = command.assignments.some(({ name }) => MOVING_VARIABLE.test(name));
  let hiding = findHidingVariable(command.assignments);
  let index = 0;
  for (let word = words[index]; word !== undefined; word = words[index]) {
    if (!word.text.startsWith("-") || (word.kind === "open" && !/^-[-\w]/.test(word.text))) break;
    const value = words[index + 1];
    if (word.text === "-C") folders.push(value?.text ?? "");
    if (word.text === "-c") settings.push(readSetting(value));
    const isUnread =
      word.text === "-C" && (value?.kind !== "literal" || /^\/+(proc|dev)\//.test(value.text));
    if (isUnread || MOVING_OPTION.test(word.text)) isElsewhere = true;
    if (!PLAIN_OPTION.test(word.text)) hiding ??= word.text;
    index += VALUED.has(word.text) ? 2 : 1;
  }
  hiding ??= settings.find(hidesByValue)?.name ?? null;
  const { takesMoreWords, takesBranches = false } = command;
  const own = words.slice(index);
  const isHere = folders.length === 0 && !isElsewhere && FOLLOWS_HEAD.test(own[0]?.text ?? "");
  const rest = readSubcommand(isHere ? own.map(asHead) : own, command);
  return { ...rest, settings, folders, isElsewhere, takesMoreWords, takesBranches, hiding };
}

function readSubcommand(
  words: readonly ShellWord[],
  { takesMoreWords }: SimpleCommand,
): Pick<GitCall, "subcommand" | "args" | "isOpen"> {
  const [first, ...args] = words;
  const isOpen = takesMoreWords || words.some((word) => word.kind !== "literal");
  if (first === undefined) return { subcommand: takesMoreWords ? null : "", args: [], isOpen };
  return { subcommand: first.kind === "literal" ? first.text : null, args, isOpen };
}

/** To these the branch that is checked out, by its name, is as good as `HEAD`; `git branch -D` deletes it. */
const FOLLOWS_HEAD = /^(push|pull|checkout|switch|merge|rebase|log|diff|show)$/;

/** A name alone is `true`. */
function readSetting(word: ShellWord | undefined): GitSetting {
  const [, name = "", value = "true"] = /^([^=]*)(?:=([\s\S]*))?$/.exec(word?.text ?? "") ?? [];
  if (word === undefined || /[$`]/.test(name)) return { name: "*", value: null };
  return { name: name.toLowerCase(), value: word.kind === "literal" ? value : null };
}

/** Git runs other programs for some subcommands, and an alias runs what it is set to. */
export function unwrapGit(command: SimpleCommand): InnerCommand[] {
  const call = readGitCall(command);
  if (call === null) return [];
  const { subcommand, args, isOpen, settings } = call;
  if (subcommand === null) return [{ kind: "unseen", what: command.text }];
  const aliases = settings.flatMap(({ name, value }) =>
    name.startsWith("alias.") && value !== null ? [aliasLine(value)] : [],
  );
  return [...aliases, ...unwrapSettings(settings), ...unwrapSubcommand(subcommand, args, isOpen)];
}

/** `-c core.pager='…'`: a line for a shell, whatever of it git then runs. */
const unwrapSettings = (settings: readonly GitSetting[]): InnerCommand[] =>
  settings.flatMap(({ name, value }): InnerCommand[] => {
    if (!HOLDS_LINE.test(name) || !hidesByValue({ name, value })) return [];
    if (value === null) return [{ kind: "unseen", what: name }];
    return [{ kind: "text", text: { text: value.replace(/^!/, ""), kind: "literal" } }];
  });

function unwrapSubcommand(
  subcommand: string,
  args: readonly ShellWord[],
  isOpen: boolean,
): InnerCommand[] {
  if (subcommand === "bisect" && args[0]?.text === "run") return [runOf(args.slice(1), isOpen)];
  if (subcommand === "rebase") return execLines(args);
  if (subcommand === "difftool") return comparingLine(args);
  if (subcommand === "submodule") return foreachLine(args);
  if (subcommand === "for-each-repo") return [runOf([GIT, ...withoutOptions(args)], isOpen)];
  if (subcommand !== "config") return programLines(subcommand, args);
  return args.flatMap(({ text: given }, at) => configuredLine(given.toLowerCase(), args[at + 1]));
}

/** `git config core.pager '…'`: what git runs from then on. */
function configuredLine(name: string, value: ShellWord | undefined): InnerCommand[] {
  if (value === undefined || value.text.startsWith("-")) return [];
  if (/^alias\..+/.test(name)) return [aliasLine(value.text)];
  return unwrapSettings([{ name, value: value.kind === "literal" ? value.text : null }]);
}

const GIT: ShellWord = { text: "git", kind: "literal" };

const withoutOptions = (args: readonly ShellWord[]): readonly ShellWord[] =>
  args.slice(
    Math.max(
      0,
      args.findIndex(({ text }) => !text.startsWith("-")),
    ),
  );

/** Options of each that name a program for a shell to run. */
const PROGRAM_OPTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(clone|fetch|pull|ls-remote|fetch-pack)$/, /^--upload-pa(?:c|ck)?(?:=|$)/],
  [/^clone$/, /^-u/],
  [/^(push|send-pack)$/, /^--(?:receive-pack|exec)(?:=|$)/],
  [/^(archive|ls-remote)$/, /^--exec(?:=|$)/],
  [/^difftool$/, /^(?:-\w*x|--extcmd(?:=|$))/],
  [/^filter-branch$/, /^--\w+-filter(?:=|$)/],
];

/** `git fetch --upload-pack='…'`, `git difftool -x '…'`. */
function programLines(subcommand: string, args: readonly ShellWord[]): InnerCommand[] {
  return PROGRAM_OPTIONS.flatMap(([known, option]) =>
    known.test(subcommand)
      ? args.flatMap((word, index): InnerCommand[] => {
          const start = option.exec(word.text)?.[0];
          if (start === undefined) return [];
          const attached = word.text.slice(start.length);
          const value = attached === "" ? args[index + 1] : { ...word, text: attached };
          return value === undefined ? [] : [{ kind: "text", text: value }];
        })
      : [],
  );
}

const aliasLine = (value: string): InnerCommand => ({
  kind: "text",
  text: { text: expandGitAlias(value, []), kind: "literal" },
});

/** `!cmd` is a shell line, anything else the beginning of a git command. */
export function expandGitAlias(alias: string, args: readonly ShellWord[]): string {
  const rest = args.map(({ kind, text }) => (kind === "literal" ? quote(text) : text));
  return [alias.startsWith("!") ? alias.slice(1) : `git ${alias}`, ...rest].join(" ");
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const runOf = (words: readonly ShellWord[], takesMoreWords: boolean): InnerCommand => ({
  kind: "words",
  words,
  assignments: [],
  takesMoreWords,
});

function execLines(args: readonly ShellWord[]): InnerCommand[] {
  const options = findGitRule("rebase")?.options ?? "";
  const kind = args.some((word) => word.kind === "open") ? "open" : "literal";
  return readGitArguments(args, options, false)
    .values("exec")
    .map((text) => ({ kind: "text", text: { text, kind } }));
}

/** `-x LINE` and `--extcmd=LINE`. */
const comparingLine = (args: readonly ShellWord[]): InnerCommand[] =>
  args.flatMap((word, index): InnerCommand[] => {
    const inline = /^(?:-x|--extcmd=)(.+)$/s.exec(word.text)?.[1];
    const value =
      inline === undefined && /^(-x|--extcmd)$/.test(word.text)
        ? args[index + 1]
        : inline === undefined
          ? undefined
          : { ...word, text: inline };
    return value === undefined ? [] : [{ kind: "text", text: value }];
  });

function foreachLine(args: readonly ShellWord[]): InnerCommand[] {
  const at = args.findIndex(({ text }) => text === "foreach");
  if (at === -1) return [];
  const first = args.findIndex(({ text }, index) => index > at && !text.startsWith("-"));
  const words = first === -1 ? [] : args.slice(first);
  return words.length > 1
    ? [runOf(words, false)]
    : words.map((text): InnerCommand => ({ kind: "text", text }));
}
