// `sh -c '…'`, `bash <<E`, `bash script.sh`: what a shell is told to run.

import type { Inner } from "./inner-command.ts";
import type { SimpleCommand } from "./line-analysis.ts";

interface ShellOptions {
  readonly isCommand: boolean;
  readonly readsStdin: boolean;
  readonly isIdle: boolean;
  readonly operands: SimpleCommand["words"];
}

export function unwrapShell(command: SimpleCommand): Inner[] {
  const { isCommand, readsStdin, isIdle, operands } = readShellOptions(command.words);
  const [first] = operands;
  if (isCommand) return first === undefined ? [] : [{ kind: "text", text: first }];
  if (isIdle) return [];
  if (first !== undefined && !readsStdin) return unwrapScript(command, first);
  return unwrapInput(command);
}

/** A script's file is not looked into: what it does is unknown, not unresolved. */
export function unwrapScript(
  command: SimpleCommand,
  file: SimpleCommand["words"][number],
): Inner[] {
  if (/^(-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/.*)$/.test(file.text)) return unwrapInput(command);
  return file.kind === "open" ? [{ kind: "unseen", what: file.text }] : [];
}

/** Commands that come by the standard input. */
export function unwrapInput({ words, redirections }: SimpleCommand): Inner[] {
  const bodies = redirections.flatMap((each) => (each.kind === "text" ? [each.body] : []));
  if (bodies.length > 0) return bodies.map((text) => ({ kind: "text", text }));
  const file = redirections.find((each) => each.kind === "file" && !each.writes);
  if (file?.kind === "file" && file.target.kind === "literal") return [];
  return [{ kind: "unseen", what: `what \`${words[0]?.text ?? ""}\` reads` }];
}

/** `su user -c '…'`, in any order; without one it is a shell that reads its input. */
export function unwrapSwitchUser(command: SimpleCommand): Inner[] {
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

function readShellOptions(words: SimpleCommand["words"]): ShellOptions {
  let flags = "";
  let isIdle = false;
  let index = 1;
  for (let option = words[index]?.text; option !== undefined; option = words[index]?.text) {
    if (!/^[-+]./.test(option)) break;
    index++;
    if (option === "--") break;
    if (option === "--rcfile" || option === "--init-file") index++;
    else if (option === "--version" || option === "--help") isIdle = true;
    else if (!option.startsWith("--")) {
      if (option.startsWith("-")) flags += option;
      index += [...option].filter((letter) => letter === "o" || letter === "O").length;
    }
  }
  const operands = words.slice(index);
  return { isCommand: flags.includes("c"), readsStdin: flags.includes("s"), isIdle, operands };
}
