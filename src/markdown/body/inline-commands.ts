// Inline commands: those that were reached run eight at a time, started and reported in order of appearance.
import { type Fault, fault, type Where } from "../../core/command/fault.ts";
import { joinWords } from "../../core/command/words.ts";
import { hasSucceeded, type ProcessEnding } from "../../core/process/command-spec.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { runProcess } from "../../core/process/run.ts";
import type { InlineCommand } from "./body.ts";
import type { InlineOutput, RunInline } from "./context.ts";
import { printValue } from "./template.ts";

const MAX_AT_ONCE = 8;

export interface ReachedCommand {
  readonly directive: InlineCommand;
  readonly scope: Readonly<Record<string, unknown>>;
}

export interface RanCommand {
  readonly command: string;
  readonly text: string;
  /** All it wrote; more than was kept where it was cut. */
  readonly bytes: number;
  readonly where: Where;
}

interface RunnerPorts {
  readonly runInline: RunInline;
  readonly signal: AbortSignal;
}

/** The first failure ends those that still run; of several, the first in the text is reported. */
export async function runCommands(
  reached: readonly ReachedCommand[],
  { runInline, signal }: RunnerPorts,
): Promise<RanCommand[]> {
  const stop = new AbortController();
  const results: (RanCommand | Fault | null)[] = reached.map(() => null);
  const ports = { runInline, signal: AbortSignal.any([signal, stop.signal]) };
  const pending = reached.entries();
  const work = async () => {
    for (const [index, command] of pending) {
      const result = await runOne(command, ports);
      results[index] = result;
      if (!("text" in result)) stop.abort();
      if (ports.signal.aborted) return;
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  signal.throwIfAborted();
  return results.map(unwrap(results));
}

const isFault = (result: RanCommand | Fault | null): result is Fault =>
  result !== null && !("text" in result);

/** One that was stopped because another failed is not the failure. */
function unwrap(results: readonly (RanCommand | Fault | null)[]) {
  const faults = results.filter(isFault);
  const first = faults.find(({ code }) => code !== "Cancelled") ?? faults[0];
  if (first !== undefined) throw first;
  return (result: RanCommand | Fault | null): RanCommand => {
    if (result === null || isFault(result)) throw new TypeError("a command has no result");
    return result;
  };
}

async function runOne(
  { directive, scope }: ReachedCommand,
  ports: RunnerPorts,
): Promise<RanCommand | Fault> {
  const { command, where } = directive;
  const { env, missing } = listShellVariables(command, scope);
  const lack = missing[0];
  if (lack !== undefined)
    return fault(
      "InlineFailed",
      { command, problem: `needs \`$${lack.name}\`, and ${lack.problem}` },
      { where, hint: "rename the variable or pass it another way" },
    );
  const output = await ports.runInline(command, { env, signal: ports.signal });
  if (output.kind !== "ok") return describeFailure(output, directive);
  const text = printOutput(output.stdout, output.totalBytes);
  if (text === null)
    return fault(
      "InlineFailed",
      { command, problem: "wrote a NUL byte" },
      { where, hint: "print text" },
    );
  return { command, text, bytes: output.totalBytes, where };
}

function describeFailure(
  output: Exclude<InlineOutput, { kind: "ok" }>,
  directive: InlineCommand,
): Fault {
  const { command, where } = directive;
  if (output.kind === "timed_out")
    return fault(
      "CommandTimeout",
      { name: command, limitMs: output.limitMs },
      { where, hint: "make it faster, or run it before and pipe its output in" },
    );
  if (output.kind === "cancelled") return fault("Cancelled", { name: command }, { where });
  const stderr = output.stderr === "" ? "" : `: ${output.stderr}`;
  return fault(
    "InlineFailed",
    { command, problem: `${output.problem}${stderr}` },
    { where, hint: "run it by itself; end it with `|| true` where it may fail" },
  );
}

/** A command's output as text, without the line end a shell would drop; null where it has a NUL byte. */
function printOutput(kept: Uint8Array, totalBytes: number): string | null {
  if (kept.includes(0)) return null;
  if (totalBytes <= kept.length)
    return Buffer.from(kept)
      .toString()
      .replace(/(?<!\n|\r(?=\n))(?:\r?\n)+$/, "");
  const whole = kept.subarray(0, findCharacterEnd(kept));
  return `${Buffer.from(whole).toString().trimEnd()}\n[output cut: ${whole.length} of ${totalBytes} bytes]`;
}

/** A cut must not leave half a character. */
function findCharacterEnd(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? start : bytes.length;
}

interface InlineRunnerOptions {
  /** Where the command was invoked. */
  readonly cwd: string;
  /** What every child is given; a body's variables come over it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Puts what was approved in the place of a project's programs; throws where that is not there. */
  readonly approve?: (line: string) => string;
}

const LIMIT_MS = 30_000;
/** More is counted, not kept. */
const MAX_INLINE_OUTPUT = 100 * 1024;

/** Runs inline commands by bash where there is one, else by sh, without any start-up file. */
export function createInlineRunner(options: InlineRunnerOptions): RunInline {
  const { cwd, environment, timeoutMs = LIMIT_MS, approve = (line) => line } = options;
  const chooseShell = once(async () => {
    const bash = await findProgram("bash", { path: environment.PATH, cwd });
    return bash.kind === "found" ? "bash" : "sh";
  });
  return async (command, { env, signal }) => {
    const shell = await chooseShell();
    const args = ["-c", approve(command)];
    const spec = { executable: shell, args, env: { ...environment, ...env }, cwd };
    let totalBytes = 0;
    const ending = await runProcess(spec, {
      signal,
      timeoutMs,
      keepBytes: MAX_INLINE_OUTPUT,
      keepOver: "each",
      onChunk: (channel, bytes) => {
        if (channel === "stdout") totalBytes += bytes.length;
      },
    });
    return describeEnding(ending, totalBytes, timeoutMs);
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => (made ??= make());
}

const STDERR_SHOWN = 2_000;

function describeEnding(ending: ProcessEnding, totalBytes: number, limitMs: number): InlineOutput {
  if (ending.kind === "timed_out") return { kind: "timed_out", limitMs };
  if (ending.kind === "cancelled") return { kind: "cancelled" };
  if (hasSucceeded(ending)) return { kind: "ok", stdout: ending.stdout, totalBytes };
  const stderr = Buffer.from(ending.stderr).toString().trim().slice(-STDERR_SHOWN);
  return { kind: "failed", problem: problemOf(ending), stderr };
}

function problemOf(ending: ProcessEnding): string {
  if (ending.kind === "exited") return `exited with ${ending.exitCode}`;
  if (ending.kind === "signalled") return `was ended by ${ending.signal}`;
  return ending.kind === "not_started" ? `could not be started: ${ending.problem}` : ending.kind;
}

// Variables as a command sees them: environment, never part of its text.

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
// Capitals steer shells, loaders and programs (PATH, IFS, LD_PRELOAD, GIT_*), as do the proxies.
const STEERING = /^[A-Z0-9_]+$|_proxy$/;
/** Linux takes no single string of 128 KiB or more; the name and `=` are part of it. */
const MAX_LENGTH = 128 * 1024 - 1;
/** The environment as a whole has a limit too: long values are given to those who name them. */
const LONG = 4096;

export const mentionsVariable = (command: string, name: string): boolean =>
  new RegExp(`\\$(?:${name}(?![A-Za-z0-9_])|\\{[#!]?${name}(?![A-Za-z0-9_]))`).test(command);

interface ShellVariables {
  readonly env: Readonly<Record<string, string>>;
  /** What this command mentions and cannot be given, with the reason. */
  readonly missing: readonly { readonly name: string; readonly problem: string }[];
}

/** Text, numbers, truth values and lists are given; a list as shell words. */
export function listShellVariables(
  command: string,
  scope: Readonly<Record<string, unknown>>,
): ShellVariables {
  const env: Record<string, string> = {};
  const missing: { name: string; problem: string }[] = [];
  for (const [name, value] of Object.entries(scope)) {
    if (!NAME.test(name) || !isPlain(value)) continue;
    const text = Array.isArray(value) ? joinWords(value.map(printValue)) : printValue(value);
    const isMentioned = mentionsVariable(command, name);
    if (text.length > LONG && !isMentioned) continue;
    const problem = findProblem(name, text);
    if (problem === null) env[name] = text;
    else if (isMentioned) missing.push({ name, problem });
  }
  return { env, missing };
}

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isPlain));

function findProblem(name: string, text: string): string | null {
  if (STEERING.test(name)) return "a name in capitals is never given to a command";
  if (text.includes("\0")) return "it contains a NUL byte";
  if (Buffer.byteLength(text) + name.length + 1 > MAX_LENGTH) return "it is longer than 128 KB";
  return null;
}
