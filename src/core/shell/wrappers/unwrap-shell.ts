// What a shell is told to run: `sh -c '…'`, `bash <<E`, `bash script.sh`.
import type { InnerCommand, SimpleCommand } from "../simple-command.ts";
import { afterOption } from "./option-lines.ts";
import { readZsh } from "./unwrap-zsh.ts";

export function unwrapShell(command: SimpleCommand): InnerCommand[] {
  const { isCommand, readsStdin, isIdle, operands } = readShellOptions(command.words);
  const [first] = operands;
  const start = afterOption(command.words, /^--(rcfile|init-file)$/);
  if (
    start !== undefined &&
    (start.kind !== "literal" || /^(<\(|\/dev\/|\/proc\/)/.test(start.text))
  )
    return [{ kind: "unseen", why: "shell-input", what: command.text }];
  // `xargs sh`, `xargs sh -c`: the first word that is added is the script.
  if (first === undefined && command.takesMoreWords && !readsStdin && !isIdle)
    return [{ kind: "unseen", what: command.text }];
  if (isCommand && first !== undefined && command.words[0]?.text === "zsh") return readZsh(first);
  if (isCommand)
    return first === undefined
      ? []
      : [
          {
            kind: "text",
            text: first,
            parameters: command.takesMoreWords ? [] : operands.slice(1),
          },
        ];
  if (isIdle) return [];
  if (first !== undefined && !readsStdin) return unwrapScript(command, first);
  return unwrapInput(command);
}

/** A script's file is not looked into: what it does is unknown, not unresolved. */
export function unwrapScript(
  command: SimpleCommand,
  file: SimpleCommand["words"][number],
): InnerCommand[] {
  if (/^(-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/.*)$/.test(file.text)) return unwrapInput(command);
  return file.kind === "open" ? [{ kind: "unseen", what: file.text }] : [];
}

/** Commands that come by the standard input. */
export function unwrapInput({ words, redirections }: SimpleCommand): InnerCommand[] {
  const bodies = redirections.flatMap((each) => (each.kind === "text" ? [each.body] : []));
  if (bodies.length > 0) return bodies.map((text) => ({ kind: "text", text }));
  const file = redirections.find((each) => each.kind === "file" && !each.writes);
  if (file?.kind === "file" && file.target.kind === "literal") return [];
  const what = `what \`${words[0]?.text ?? ""}\` reads`;
  return [{ kind: "unseen", why: "shell-input", what }];
}

interface ShellOptions {
  readonly isCommand: boolean;
  readonly readsStdin: boolean;
  readonly isIdle: boolean;
  readonly operands: SimpleCommand["words"];
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
