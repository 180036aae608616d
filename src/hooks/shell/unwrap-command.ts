// What a simple command runs in its turn: `sudo git push` runs `git push`.
import type { Inner } from "./inner-command.ts";
import { joinWords, type ShellWord, type SimpleCommand } from "./line-analysis.ts";
import { unwrapInput, unwrapScript, unwrapShell, unwrapSwitchUser } from "./shell-call.ts";
import { skipOptions } from "./skip-options.ts";
import { unwrapFind, unwrapXargs } from "./unwrap-arguments.ts";
import { unwrapGit } from "./unwrap-git.ts";
import {
  COMMAND_VARIABLES,
  RUNNER_OPTIONS,
  RUNNERS,
  SHELLS,
  WRAPPERS,
  type WrapperOptions,
} from "./wrappers.ts";

type Unwrap = (command: SimpleCommand) => Inner[];

const SPECIAL: ReadonlyMap<string, Unwrap> = new Map<string, Unwrap>([
  ["env", unwrapEnv],
  ["xargs", unwrapXargs],
  ["gxargs", unwrapXargs],
  ["find", unwrapFind],
  ["gfind", unwrapFind],
  ["git", unwrapGit],
  ["eval", ({ words }) => joined(words.slice(1))],
  ["source", unwrapSource],
  [".", unwrapSource],
  ["su", unwrapSwitchUser],
  ["runuser", unwrapSwitchUser],
  ["trap", ({ words }) => asText(words.slice(1).filter(({ text }) => !text.startsWith("-"))[0])],
  ["alias", ({ assignments }) => assignments.flatMap(({ value }) => asText(value))],
  ["script", ({ words }) => asText(afterOption(words, /^(-\w*c|--command)$/))],
  ["ssh", unwrapRemote],
  ["flock", unwrapLock],
  ["sudo", unwrapRoot],
  ["doas", unwrapRoot],
  ["at", unwrapInput],
  ["batch", unwrapInput],
  ["fd", unwrapFind],
  ["fdfind", unwrapFind],
  ["npx", unwrapPackage],
  ["npm", unwrapPackage],
]);

export function unwrapCommand(command: SimpleCommand): Inner[] {
  return [...unwrapVariables(command), ...unwrapProgram(command)];
}

function unwrapProgram(command: SimpleCommand): Inner[] {
  const [first, second] = command.words;
  if (first === undefined || first.kind !== "literal") return [];
  const special = SPECIAL.get(first.text);
  if (special !== undefined) return special(command);
  if (SHELLS.has(first.text)) return unwrapShell(command);
  const rule = WRAPPERS.get(first.text);
  if (rule !== undefined) return unwrapBy(rule, command);
  if (second !== undefined && RUNNERS.get(first.text)?.includes(second.text) === true)
    return unwrapBy(RUNNER_OPTIONS, { ...command, words: command.words.slice(1) });
  return [];
}

function unwrapBy(rule: WrapperOptions, command: SimpleCommand): Inner[] {
  const { rest, options, assignments } = skipOptions(command.words, rule);
  if (options.some((option) => rule.idle.includes(option))) return [];
  if (rule.joins) return joined(rest);
  const { takesMoreWords } = rule;
  return [{ kind: "words", words: rest, assignments, takesMoreWords }];
}

/** `PAGER='…' git log` runs the pager. */
function unwrapVariables({ assignments }: SimpleCommand): Inner[] {
  return assignments.flatMap(({ name, value }) =>
    COMMAND_VARIABLES.has(name) ? asText(value) : [],
  );
}

function unwrapEnv(command: SimpleCommand): Inner[] {
  const rule = WRAPPERS.get("env");
  if (rule === undefined) return [];
  const { options } = skipOptions(command.words, rule);
  const split = options.find((option) => /^(-[a-zA-Z]*S|--split-string)/.test(option));
  if (split === undefined) return unwrapBy(rule, command);
  const at = command.words.findIndex(({ text }) => text === split);
  const inline = split.replace(/^(-[a-zA-Z]*?S|--split-string)=?/, "");
  const kind = command.words[at]?.kind ?? "open";
  const rest = command.words.slice(at + 1);
  return joined(inline === "" ? rest : [{ text: inline, kind }, ...rest]);
}

function unwrapSource(command: SimpleCommand): Inner[] {
  const file = command.words[1];
  return file === undefined ? [] : unwrapScript(command, file);
}

function unwrapRemote(command: SimpleCommand): Inner[] {
  if (/(proxy|local|knownhosts)command/i.test(command.text))
    return [{ kind: "unseen", what: command.text }];
  const rule = WRAPPERS.get("ssh");
  const inner = rule === undefined ? [] : unwrapBy(rule, command);
  const bodies = command.redirections.flatMap((each) => (each.kind === "text" ? [each.body] : []));
  return inner.length > 0 ? inner : bodies.map((text) => ({ kind: "text", text }));
}

function unwrapLock(command: SimpleCommand): Inner[] {
  const rule = WRAPPERS.get("flock");
  if (rule === undefined) return [];
  const { rest } = skipOptions(command.words, rule);
  return /^(-c|--command)$/.test(rest[0]?.text ?? "") ? asText(rest[1]) : unwrapBy(rule, command);
}

/** `sudo -s` alone is a shell. */
function unwrapRoot(command: SimpleCommand): Inner[] {
  const rule = WRAPPERS.get(command.words[0]?.text ?? "");
  if (rule === undefined) return [];
  const { rest, options } = skipOptions(command.words, rule);
  const isShell = options.some((option) => /^(-[a-zA-Z]*[si]|--shell|--login)$/.test(option));
  return rest.length === 0 && isShell ? unwrapInput(command) : unwrapBy(rule, command);
}

function unwrapPackage(command: SimpleCommand): Inner[] {
  const line = afterOption(command.words, /^(-c|--call)$/);
  const isExec = ["exec", "x"].includes(command.words[1]?.text ?? "");
  if (command.words[0]?.text === "npm" && !isExec) return [];
  const words = isExec ? command.words.slice(1) : command.words;
  // Whether `-c` is the runner's or its command's: both are looked at.
  return [...asText(line), ...unwrapBy(RUNNER_OPTIONS, { ...command, words })];
}

const afterOption = (words: readonly ShellWord[], option: RegExp): ShellWord | undefined => {
  const at = words.findIndex(({ text }) => option.test(text));
  return at === -1 ? undefined : words[at + 1];
};

const asText = (text: ShellWord | undefined): Inner[] =>
  text === undefined || text.text === "" || text.text === "-" ? [] : [{ kind: "text", text }];

/** As `eval` does: a shell reads the words, joined by spaces, once more. */
function joined(words: readonly ShellWord[]): Inner[] {
  if (words.length === 0) return [];
  const kind = words.some((word) => word.kind !== "literal") ? "open" : "literal";
  return [{ kind: "text", text: { text: joinWords(words), kind } }];
}
