// What is piped in: when it is read, how much, and where it goes.
import { fault } from "../../command/fault.ts";
import { decodeText } from "./imports/decode-text.ts";
import { wrapText } from "./wrap-text.ts";

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

const LIMIT_BYTES = 10 * 1024 * 1024;

/** Reads to the end, up to 10 MB of text. */
export async function readStdin(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > LIMIT_BYTES)
      throw refuse("it is larger than 10 MB", "pipe in less, or import a file");
    parts.push(part);
  }
  const text = decodeText(Buffer.concat(parts));
  if (text === null) throw refuse("it is not text in UTF-8", "pipe in text");
  return text;
}

const refuse = (problem: string, hint: string) =>
  fault("InputInvalid", { what: "stdin", problem }, { hint });

/** Under a heading, between tags that it cannot close. */
export function appendStdin(prompt: string, text: string): string {
  const gap = prompt === "" ? "" : `${prompt.trimEnd()}\n\n`;
  return `${gap}## Standard input\n\n${wrapText({ tag: "stdin", attributes: {}, text })}\n`;
}
