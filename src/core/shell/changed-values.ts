// What is made of a value that the line gave: `${f%.ts}`, `${f##*/}`, `$(basename "$f" .ts)`, `$(dirname "$f")`, `$API/x`.
import { posix } from "node:path";
import type { WordPart } from "unbash";
import type { LineState } from "./line-state.ts";
import type { ShellWord } from "./simple-command.ts";

/** `basename "$f" .ts`, with no more than a variable and an ending. */
const NAMES =
  /^(?:\$\(|`)\s?(basename|dirname)(?: --)? "?\$(?:(\w+)|\{(\w+)\})"?(?: "?(\.\w{1,20})"?)?\s?[)`]$/;
const PLAIN = /^[\w./-]*$/;

/** Null where the value, or what becomes of it, is only known when the line runs. */
export function changedValue(part: WordPart, { variables }: LineState): ShellWord | null {
  const [, program, bare, braced, ending = ""] = NAMES.exec(part.text) ?? [];
  const name = bare ?? braced ?? (part.type === "ParameterExpansion" ? part.parameter : "");
  const value = variables.get(name) ?? null;
  // A bracket may stand for a slash, what is no glob yet may become one, and with `IFS` values are split otherwise.
  const isPlain = value?.kind === "glob" ? /^[^[\]\\\s]*$/ : /^[^[\]\\\s*?]*$/;
  if (value === null || value.kind === "open" || !isPlain.test(value.text)) return null;
  if (variables.has("IFS")) return null;
  // Which of the files of a glob have the ending is not known.
  if (value.kind === "glob" && !value.text.endsWith(ending)) return null;
  const text =
    program === undefined ? cutText(part, value) : namedText(program, value.text, ending);
  return text === null ? null : { text, kind: value.kind };
}

const namedText = (program: string, text: string, ending: string): string =>
  program === "basename" ? posix.basename(text, ending) : posix.dirname(text);

function cutText(part: WordPart, { text, kind }: ShellWord): string | null {
  if (part.type !== "ParameterExpansion" || part.operation?.type !== "Remove") return null;
  if (part.prefix !== undefined || part.index !== undefined) return null;
  const { operator, operand } = part.operation;
  const pattern = operand.text;
  if (operator === "%" || operator === "%%") {
    if (PLAIN.test(pattern) && text.endsWith(pattern))
      return text.slice(0, text.length - pattern.length);
    // A star stands for no slash, but perhaps for a dot.
    const isKnown = pattern === "/*" || (pattern === ".*" && kind === "literal");
    const at = isKnown && operator === "%" ? text.lastIndexOf(pattern.charAt(0)) : -1;
    return at === -1 ? null : text.slice(0, at);
  }
  if (PLAIN.test(pattern) && text.startsWith(pattern)) return text.slice(pattern.length);
  return operator === "##" && pattern === "*/" ? text.slice(text.lastIndexOf("/") + 1) : null;
}

/** `$API/items/$id`, where the line says what `$API` is. */
export const withKnownHost = (text: string, { variables }: LineState): string =>
  text.replace(/^\$(?:(\w+)|\{(\w+)\})(?=\/)/, (whole, bare?: string, braced?: string) => {
    const value = variables.get(bare ?? braced ?? "");
    return value?.kind === "literal" && /^https?:\/\/[^\s"'$`]+$/.test(value.text)
      ? value.text
      : whole;
  });
