// A call of git: its own options, the subcommand, and the subcommand's words.
import type { ShellWord, SimpleCommand } from "./line-analysis.ts";
import { DIVERTING_VARIABLES } from "./wrappers.ts";

export interface GitCall {
  /** Null where an expansion hides it; empty for `git` alone. */
  readonly subcommand: string | null;
  readonly args: readonly ShellWord[];
  /** `-c name=value`, the name in small letters. */
  readonly settings: readonly string[];
  /** Folders by `-C`, in order, each relative to the one before. */
  readonly folders: readonly string[];
  /** More words come from elsewhere, or an expansion may be anything. */
  readonly isOpen: boolean;
}

const VALUED = new Set([
  ...["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix"],
  ...["--config-env", "--attr-source", "--list-cmds"],
]);

export function readGitCall(command: SimpleCommand): GitCall | null {
  const [first, ...words] = command.words;
  if (first?.kind !== "literal" || first.text !== "git") return null;
  const settings = divertingSettings(command);
  const folders: string[] = [];
  let index = 0;
  for (let word = words[index]; word !== undefined; word = words[index]) {
    if (!word.text.startsWith("-") || word.kind === "open") break;
    const value = words[index + 1];
    if (word.text === "-C") folders.push(value?.text ?? "");
    if (word.text === "-c") settings.push(settingName(value));
    if (word.text.startsWith("--config-env")) settings.push("*");
    if (word.text.startsWith("--exec-path=")) settings.push("*");
    // `--exec-path` alone prints it.
    index += VALUED.has(word.text) && word.text !== "--exec-path" ? 2 : 1;
  }
  return { ...readSubcommand(words.slice(index), command), settings, folders };
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

const settingName = (word: ShellWord | undefined): string =>
  word === undefined || word.kind !== "literal"
    ? "*"
    : (word.text.split("=", 1)[0] ?? "").toLowerCase();

/** `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x …` sets anything. */
const divertingSettings = ({ assignments }: SimpleCommand): string[] =>
  assignments.some(({ name }) => DIVERTING_VARIABLES.test(name)) ? ["*"] : [];

/** Settings whose value git runs, or by which another subcommand hides behind a name. */
const RUNNING_SETTINGS =
  /^(\*|alias\..*|include\.path|includeif\..*|core\.(pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand)|pager\..*|sequence\.editor|diff\.external|diff\..*\.(command|textconv)|difftool\..*|mergetool\..*|merge\..*\.driver|filter\..*|credential\.(.*\.)?helper|gpg\.(.*\.)?program|remote\..*\.(uploadpack|receivepack|vcs)|uploadpack\..*|protocol\..*|web\.browser|browser\..*|man\..*|interactive\.difffilter|sendemail\..*|push\..*|remote\..*\.(push|mirror))$/;
const HARMLESS = /^(core\.pager|pager\..*|core\.editor|sequence\.editor)$/;

/** `-c core.pager=cat` is what agents write to be sure that no pager starts. */
export function hidesPrograms({ settings }: GitCall, text: string): boolean {
  return settings.some(
    (name) =>
      RUNNING_SETTINGS.test(name) &&
      !(HARMLESS.test(name) && /=(cat|true|:|false|)(\s|$)/.test(text.slice(text.indexOf(name)))),
  );
}
