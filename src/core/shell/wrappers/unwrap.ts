// What a simple command runs in its turn: `sudo git push` runs `git push`, `sh -c` its line.
import { unwrapGit } from "../git-call.ts";
import { isKnownOutput } from "../known-output.ts";
import type { InnerCommand, ShellWord, SimpleCommand } from "../simple-command.ts";
import {
  afterOption,
  asExpanded,
  asLine,
  databaseLines,
  fedLine,
  joinedLine,
  optionValue,
  traceLines,
  typedLines,
  unwrapMake,
} from "./option-lines.ts";
import { unwrapFind, unwrapXargs } from "./unwrap-found.ts";
import { unwrapInput, unwrapScript, unwrapShell } from "./unwrap-shell.ts";
import { unwrapAwk, unwrapEditor, unwrapSed, unwrapTar, unwrapUndescribed } from "./unwrap-text.ts";
import {
  COMMAND_VARIABLES,
  RUNNER_OPTIONS,
  RUNNERS,
  SHELLS,
  skipOptions,
  WRAPPERS,
  type WrapperOptions,
} from "./wrappers.ts";

export function unwrapCommand(command: SimpleCommand): InnerCommand[] {
  return [...unwrapVariables(command), ...unwrapProgram(command)];
}

function unwrapProgram(command: SimpleCommand): InnerCommand[] {
  const [first] = command.words;
  if (first === undefined || first.kind !== "literal") return [];
  const special = SPECIAL.get(first.text);
  if (special !== undefined)
    return CARRIES_LINES.test(first.text)
      ? [...special(command), ...unwrapUndescribed(command)]
      : special(command);
  if (SHELLS.has(first.text)) return unwrapShell(command);
  const rule = WRAPPERS.get(first.text);
  if (rule !== undefined) return unwrapBy(rule, command);
  const verb = RUNNERS.get(first.text)?.find((known) => startsWith(command.words.slice(1), known));
  if (verb !== undefined)
    return unwrapBy(RUNNER_OPTIONS, {
      ...command,
      words: command.words.slice(verb.split(" ").length),
    });
  return unwrapUndescribed(command);
}

/** `tool run` for `uv tool run git push`. */
const startsWith = (words: readonly ShellWord[], verb: string): boolean =>
  verb.split(" ").every((part, index) => words[index]?.text === part);

type Unwrap = (command: SimpleCommand) => InnerCommand[];

const SPECIAL: ReadonlyMap<string, Unwrap> = new Map<string, Unwrap>([
  ["env", unwrapEnv],
  ["xargs", unwrapXargs],
  ["gxargs", unwrapXargs],
  ["find", unwrapFind],
  ["gfind", unwrapFind],
  ["git", unwrapGit],
  ["eval", unwrapEval],
  ["source", unwrapSource],
  [".", unwrapSource],
  ["su", unwrapSwitchUser],
  ["runuser", unwrapSwitchUser],
  ["trap", ({ words }) => asLine(words.slice(1).filter(({ text }) => !text.startsWith("-"))[0])],
  ["alias", ({ assignments }) => assignments.flatMap(({ value }) => asLine(value))],
  // `hash -p FILE NAME` makes a name a file.
  [
    "hash",
    ({ words, text }) =>
      words.some((word) => /^-\w*p/.test(word.text)) ? [{ kind: "unseen", what: text }] : [],
  ],
  ["script", ({ words }) => asLine(optionValue(words, /^(-\w*c|--command)$/))],
  ["crontab", unwrapTable],
  ...["mapfile", "readarray"].map((name): [string, Unwrap] => [
    name,
    ({ words }) => asLine(afterOption(words, /^-\w*C$/)),
  ]),
  [
    "compgen",
    ({ words }) => [
      ...asLine(afterOption(words, /^-\w*C$/)),
      ...asExpanded(afterOption(words, /^-\w*W$/)),
    ],
  ],
  ["zip", ({ words }) => asLine(afterOption(words, /^(-\w*TT|--unzip-command)$/))],
  ["ssh", unwrapRemote],
  ["flock", unwrapLock],
  [
    "strace",
    (command) => [
      ...traceLines(command),
      ...unwrapBy(WRAPPERS.get("strace") ?? RUNNER_OPTIONS, command),
    ],
  ],
  ["tmux", (command) => [...typedLines(command), ...unwrapUndescribed(command)]],
  ["sudo", unwrapRoot],
  ["doas", unwrapRoot],
  ["at", unwrapInput],
  ["batch", unwrapInput],
  ["fd", unwrapFind],
  ["fdfind", unwrapFind],
  ["npx", unwrapPackage],
  ["npm", unwrapPackage],
  ...["make", "gmake", "ninja", "samu", "just"].map((name): [string, Unwrap] => [name, unwrapMake]),
  ["sqlite3", (command) => [...databaseLines(command), ...unwrapUndescribed(command)]],
  ...["awk", "gawk", "mawk", "nawk"].map((name): [string, Unwrap] => [name, unwrapAwk]),
  ...["sed", "gsed"].map((name): [string, Unwrap] => [name, unwrapSed]),
  ...["vim", "vi", "nvim", "view", "ex", "ed"].map((name): [string, Unwrap] => [
    name,
    unwrapEditor,
  ]),
  ...["gdb", "less"].map((name): [string, Unwrap] => [name, unwrapEditor]),
  ...["tar", "gtar", "bsdtar"].map((name): [string, Unwrap] => [name, unwrapTar]),
]);

/** Of these not all that may hold a line for a shell is described. */
const CARRIES_LINES = /^(n?vim?|view|ex|gdb|g?make|ninja|samu|just|npm|ssh|zip)$/;

function unwrapBy(rule: WrapperOptions, command: SimpleCommand): InnerCommand[] {
  const { rest, options, assignments } = skipOptions(command.words, rule);
  if (options.some((option) => rule.idle.includes(option))) return [];
  if (rule.joins) return rule.takesMoreWords ? fedLine(rest) : joinedLine(rest);
  const { takesMoreWords } = rule;
  const words = rule === RUNNER_OPTIONS ? withoutVersion(rest) : rest;
  return [{ kind: "words", words, assignments, takesMoreWords }];
}

/** `npx rimraf@5 dist` runs `rimraf`. */
const withoutVersion = ([first, ...rest]: readonly ShellWord[]): readonly ShellWord[] =>
  first === undefined ? [] : [{ ...first, text: first.text.replace(/(.)@[^/@]*$/, "$1") }, ...rest];

/** Tables in which bash and zsh keep what a name runs. */
const NAME_TABLES = /^(BASH_ALIASES|BASH_CMDS|[gs]?aliases|functions)$/;

/** `PAGER='…' git log` runs the pager. */
function unwrapVariables({ assignments }: SimpleCommand): InnerCommand[] {
  return assignments.flatMap(({ name, value }): InnerCommand[] => {
    // `BASH_FUNC_ls%%='() { …; }'` is a function for every bash below.
    if (name.startsWith("BASH_FUNC_")) return asLine({ ...value, text: `f ${value.text}` });
    if (NAME_TABLES.test(name) && value.text !== "") return [{ kind: "unseen", what: name }];
    const isPrompt = /^PS[0-4]$/.test(name) && /[$]\(|`/.test(value.text);
    return COMMAND_VARIABLES.has(name) || isPrompt ? asLine(value) : [];
  });
}

function unwrapEnv(command: SimpleCommand): InnerCommand[] {
  const rule = WRAPPERS.get("env");
  if (rule === undefined) return [];
  const { options } = skipOptions(command.words, rule);
  const split = options.find((option) => /^(-[a-zA-Z]*S|--split-string)/.test(option));
  if (split === undefined) return movedBy(unwrapBy(rule, command), command);
  const at = command.words.findIndex(({ text }) => text === split);
  const inline = split.replace(/^(-[a-zA-Z]*?S|--split-string)=?/, "");
  const kind = command.words[at]?.kind ?? "open";
  const rest = command.words.slice(at + 1);
  return joinedLine(inline === "" ? rest : [{ text: inline, kind }, ...rest]);
}

/** `env -C folder`. */
function movedBy(inner: InnerCommand[], { words }: SimpleCommand): InnerCommand[] {
  const at = words.findIndex(({ text }) => /^(-C|--chdir)/.test(text));
  if (at === -1) return inner;
  const attached = words[at]?.text.replace(/^(-C|--chdir=?)/, "") ?? "";
  const target = attached === "" ? words[at + 1] : words[at];
  const text = attached === "" ? target?.text : attached;
  const folder = target?.kind === "literal" ? (text ?? null) : null;
  return inner.map((each) => (each.kind === "words" ? { ...each, folder } : each));
}

function unwrapEval({ words }: SimpleCommand): InnerCommand[] {
  const [only, ...more] = words.slice(1);
  return only !== undefined && more.length === 0 && isKnownOutput(only.text)
    ? [{ kind: "unseen", why: "sourced-file", what: only.text }]
    : joinedLine(words.slice(1));
}

/** `. "$NVM_DIR/nvm.sh"`: a file below a folder that the environment names. */
const FROM_ENVIRONMENT = /^\$(?:[A-Z][A-Z0-9_]*|\{[A-Z][A-Z0-9_]*\})(?:\/[\w.-]+)+$/;

function unwrapSource(command: SimpleCommand): InnerCommand[] {
  const file = command.words.slice(1).find(({ text }) => text !== "--");
  if (file === undefined) return [];
  if (isKnownOutput(file.text) || FROM_ENVIRONMENT.test(file.text))
    return [{ kind: "unseen", why: "sourced-file", what: file.text }];
  const lines = unwrapScript(command, file);
  return lines.length > 0 ? lines : [{ kind: "unseen", why: "sourced-file", what: file.text }];
}

function unwrapRemote(command: SimpleCommand): InnerCommand[] {
  if (/(proxy|local|knownhosts)command/i.test(command.text))
    return [{ kind: "unseen", what: command.text }];
  const rule = WRAPPERS.get("ssh");
  const inner = rule === undefined ? [] : unwrapBy(rule, command);
  const bodies = command.redirections.flatMap((each) => (each.kind === "text" ? [each.body] : []));
  return inner.length > 0 ? inner : bodies.map((text) => ({ kind: "text", text }));
}

function unwrapLock(command: SimpleCommand): InnerCommand[] {
  const rule = WRAPPERS.get("flock") ?? RUNNER_OPTIONS;
  const [first, line] = skipOptions(command.words, rule).rest;
  if (/^(-c|--command)$/.test(first?.text ?? "")) return asLine(line);
  // Whether `-c` is its own or its command's: both are looked at.
  return [...asLine(afterOption(command.words, /^(-c|--command)$/)), ...unwrapBy(rule, command)];
}

/** `sudo -s` alone is a shell. */
function unwrapRoot(command: SimpleCommand): InnerCommand[] {
  const rule = WRAPPERS.get(command.words[0]?.text ?? "");
  if (rule === undefined) return [];
  const { rest, options } = skipOptions(command.words, rule);
  const isShell = options.some((option) => /^(-[a-zA-Z]*[si]|--shell|--login)$/.test(option));
  return rest.length === 0 && isShell ? unwrapInput(command) : unwrapBy(rule, command);
}

function unwrapPackage(command: SimpleCommand): InnerCommand[] {
  const line = afterOption(command.words, /^(-c|--call)$/);
  const isExec = ["exec", "x"].includes(command.words[1]?.text ?? "");
  if (command.words[0]?.text === "npm" && !isExec) return [];
  const words = isExec ? command.words.slice(1) : command.words;
  // Whether `-c` is the runner's or its command's: both are looked at.
  return [...asLine(line), ...unwrapBy(RUNNER_OPTIONS, { ...command, words })];
}

/** Lines to be run later, from its input. */
function unwrapTable(command: SimpleCommand): InnerCommand[] {
  const isRead = command.words.some(({ text }) => text === "-") || command.words.length === 1;
  const hasText = command.redirections.some((each) => each.kind === "text");
  return isRead && !hasText ? unwrapInput(command) : unwrapUndescribed(command);
}

/** `su user -c '…'`, in any order; without one it is a shell that reads its input. */
function unwrapSwitchUser(command: SimpleCommand): InnerCommand[] {
  const { words } = command;
  const at = words.findIndex(({ text }) => /^(-\w*c|--command|--session-command)$/.test(text));
  const joined = words.find(({ text }) => text.startsWith("--command="));
  if (joined !== undefined) {
    const text = { ...joined, text: joined.text.slice("--command=".length) };
    return [{ kind: "text", text }];
  }
  const line = at === -1 ? undefined : words[at + 1];
  return line === undefined ? unwrapInput(command) : [{ kind: "text", text: line }];
}
