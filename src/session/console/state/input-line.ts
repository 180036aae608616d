// What a line means that a person or a script gives the console.

type InputLine =
  | { readonly kind: "nothing" }
  /** What stands behind the `/`. */
  | { readonly kind: "command"; readonly line: string }
  /** What stands behind the `!`. */
  | { readonly kind: "shell"; readonly line: string }
  | { readonly kind: "prompt"; readonly text: string };

/** `/name` and nothing else that begins with a slash: `/etc/hosts is empty` is a prompt. */
const COMMAND = /^\/([a-z][a-z0-9-]*(?:\s[\s\S]*)?)$/;

/** Words by which others are left; they mean the same here, unless a command has the name. */
export const isLeaveLine = (line: string): boolean => line === "exit" || line === "quit";

export function readInputLine(text: string): InputLine {
  if (text.trim() === "") return { kind: "nothing" };
  const command = COMMAND.exec(text)?.[1];
  if (command !== undefined) return { kind: "command", line: command.trim() };
  if (text.startsWith("!") && text.slice(1).trim() !== "")
    return { kind: "shell", line: text.slice(1).trim() };
  return { kind: "prompt", text };
}
