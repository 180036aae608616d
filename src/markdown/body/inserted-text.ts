// Text that comes from outside: what is piped in, when it is read and where it goes, and how any such text
// is decoded and kept apart from the author's.
import { fault } from "../../core/command/fault.ts";

/** What this process's stdin is. */
export type StdinKind = "terminal" | "pipe" | "file" | "socket" | "other";

/**
 * `variable` reads it for `{{ stdin }}`, `append` reads it for the end of the prompt, `leave` never looks.
 * Unmentioned, only what a person can have piped is read: agents leave sockets open that never end.
 */
export function decideStdin(
  isMentioned: boolean,
  kind: StdinKind,
): "variable" | "append" | "leave" {
  if (kind === "terminal") return "leave";
  if (isMentioned) return "variable";
  return kind === "pipe" || kind === "file" ? "append" : "leave";
}

const MAX_STDIN_BYTES = 10 * 1024 * 1024;

/** Up to 10 MB of text. */
export function decodeStdin(bytes: Uint8Array): string {
  if (bytes.length > MAX_STDIN_BYTES)
    throw refuse("it is larger than 10 MB", "pipe in less, or import a file");
  const text = decodeText(bytes);
  if (text === null) throw refuse("it is not text in UTF-8", "pipe in text");
  return text;
}

const refuse = (problem: string, hint: string) =>
  fault("InputInvalid", { what: "stdin", problem }, { hint });

/** Under a heading, between tags that it cannot close. */
export function appendStdin(prompt: string, text: string): string {
  const gap = prompt === "" ? "" : `${prompt.trimEnd()}\n\n`;
  return `${gap}## Standard input\n\n${wrapInTag({ tag: "stdin", attributes: {}, text })}\n`;
}

interface Wrapping {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Puts text between two tags that it cannot close: where it contains the closing one, the tags are
 * numbered until it does not.
 */
export function wrapInTag({ tag, attributes, text }: Wrapping): string {
  const name = chooseName(tag, text);
  const described = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeAttribute(value)}"`,
  );
  const lineEnd = text === "" || text.endsWith("\n") ? "" : "\n";
  return `<${name}${described.join("")}>\n${text}${lineEnd}</${name}>`;
}

function chooseName(tag: string, text: string): string {
  const closing = new RegExp(`<\\s*/\\s*${tag}(?:-(\\d+))?`, "gi");
  const used = new Set(Array.from(text.matchAll(closing), ([, number]) => Number(number ?? 1)));
  // A plain closing tag must not even begin like one of them.
  let number = used.size === 0 ? 1 : 2;
  while (used.has(number)) number += 1;
  return number === 1 ? tag : `${tag}-${number}`;
}

// Anyone may name a file; its name must not end the attribute, the tag or the line.
const escapeAttribute = (value: string): string =>
  value.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
    /[&"<>\u0000-\u001f\u007f\u2028\u2029]/g,
    (char) => `&#${char.charCodeAt(0)};`,
  );

/** Text of a file or an answer; null where it is none. A byte order mark is left out. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
