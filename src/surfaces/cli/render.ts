// Outcome → what a person or a program reads. Data on stdout, everything else on stderr.
import type { Output } from "../../command/output.ts";
import type { Outcome } from "../../dispatch/outcome.ts";
import type { Channel } from "../../process/run-options.ts";

export interface Rendered {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** A message of the program itself. */
export function sayLine(message: Output): string {
  const text = typeof message === "string" ? message : Buffer.from(message).toString();
  return `adj: ${nameFromHere(text)}\n`;
}

/** Files here are named as a person here would name them. */
function nameFromHere(text: string): string {
  try {
    return text.replaceAll(`${process.cwd()}/`, "");
  } catch {
    // The folder was removed under the shell, so nothing lies in it.
    return text;
  }
}

/** What was streamed is not shown again; the reason of a fault was not. */
export function renderOutcome(outcome: Outcome, streamed: ReadonlySet<Channel>): Rendered {
  const { output, errorOutput } = outcome.result;
  const isShown = outcome.error === undefined && streamed.has("stderr");
  return {
    stdout: streamed.has("stdout") ? "" : endLine(output),
    stderr:
      errorOutput === null || isShown
        ? ""
        : endLine(outcome.error === undefined ? errorOutput : sayLine(errorOutput)),
  };
}

/** Text ends with a line break; bytes are left exactly as they are. */
const endLine = (output: Output): Output =>
  typeof output !== "string" || output === "" || output.endsWith("\n") ? output : `${output}\n`;

/** One object, the same for every command; bytes that are not UTF-8 stand there in base64 and say so. */
export function renderJson(outcome: Outcome): string {
  const { output, errorOutput, ...rest } = outcome.result;
  const shown = encode(output);
  const reason = errorOutput === null ? null : encode(errorOutput);
  const result = {
    ...rest,
    output: shown.text,
    outputEncoding: shown.encoding,
    errorOutput: reason?.text ?? null,
    errorOutputEncoding: reason?.encoding ?? null,
  };
  return `${JSON.stringify({ ...outcome, result })}\n`;
}

function encode(output: Output): { text: string; encoding: "utf8" | "base64" } {
  if (typeof output === "string") return { text: output, encoding: "utf8" };
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(output),
      encoding: "utf8",
    };
  } catch {
    // Not text: the bytes themselves are what the caller gets.
    return { text: Buffer.from(output).toString("base64"), encoding: "base64" };
  }
}
