// Outcome → what a person or a program reads. Data on stdout, everything else on stderr.
import type { CommandContext } from "../command/context.ts";
import { type FaultReport, RAISED } from "../command/fault.ts";
import type { Outcome } from "../command/request.ts";
import { type Output, textOfOutput } from "../command/result.ts";
import { escapeControls } from "../command/words.ts";
import type { Channel } from "../process/command-spec.ts";

interface RenderedOutcome {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** A message of the program itself. */
export function formatMessage(message: Output): string {
  const text = textOfOutput(message);
  return `adj: ${escapeControls(shortenPaths(text))}\n`;
}

/** Files here are named as a person here would name them. */
function shortenPaths(text: string): string {
  try {
    return text.replaceAll(`${process.cwd()}/`, "");
  } catch {
    // The folder was removed under the shell, so nothing lies in it.
    return text;
  }
}

/** What was streamed is not shown again; the reason of a fault was not. */
export function renderOutcome(outcome: Outcome, streamed: ReadonlySet<Channel>): RenderedOutcome {
  const { output, errorOutput } = outcome.result;
  const isShown = outcome.error === undefined && streamed.has("stderr");
  return {
    stdout: streamed.has("stdout") ? "" : endLine(output),
    stderr:
      errorOutput === null || isShown
        ? ""
        : endLine(outcome.error === undefined ? errorOutput : formatMessage(errorOutput)),
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

/** Of the address that a person's module is imported under, what is no part of its path: an editor opens the rest. */
const MODULE_VERSION = /(file:\/\/[^\s?()]+)\?v=[\d.]+/g;

/** The stacks behind a report, the innermost cause last; null for one that came from another process. */
function stackOf(report: FaultReport): string | null {
  const causes = new Set<Error>();
  for (let error: unknown = RAISED.get(report); error instanceof Error; error = error.cause) {
    if (causes.has(error)) break;
    causes.add(error);
  }
  const [own, ...behind] = [...causes].map(({ stack, message }) =>
    (stack ?? message).replaceAll(MODULE_VERSION, "$1"),
  );
  // What a person's code threw says all; a fault of our own has nothing but itself.
  return behind.length === 0 ? (own ?? null) : behind.join("\ncaused by ");
}

/** For `--debug`: nothing else shows where in the program a fault was made. */
export const describeStack = (report: FaultReport): string =>
  `${stackOf(report) ?? "its stack is not known here"}\n`;

export function withStack<Shown extends Pick<Outcome, "error">>(outcome: Shown): Shown {
  const { error } = outcome;
  return error === undefined ? outcome : { ...outcome, error: { ...error, stack: stackOf(error) } };
}

/** How many cells a line has; the surface sets it where a person is looking. */
export const WIDTH_VARIABLE = "COLUMNS";

const MIN_WIDTH = 40;

/** Null where lines are read by a program and may have any length. */
export function screenWidth({ env }: CommandContext): number | null {
  const width = Number(env.get(WIDTH_VARIABLE) ?? "");
  return Number.isInteger(width) && width > 0 ? Math.max(MIN_WIDTH, width) : null;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** `2026-11-05 14:03:22` on the clock of whoever looks; the record itself is in UTC. */
export function formatLocalTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  return `${day} ${clock}`;
}

/** The same to the minute, for lists in which a column is dear. */
export const formatLocalMinute = (iso: string): string => formatLocalTime(iso).slice(0, 16);
