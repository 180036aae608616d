// `context.run`: a program that a command's own code starts, with the command's signal and in the project.
import { resolve } from "node:path";
import type { CommandContext, ContextRunOptions, ContextRunResult } from "../command/context.ts";
import { fault } from "../command/fault.ts";
import { parseDuration } from "../command/time.ts";
import {
  type CommandSpec,
  describeRemains,
  type ProcessEnding,
  shellExitCode,
} from "../process/command-spec.ts";
import { runProcess } from "../process/run.ts";

/** Between SIGTERM and SIGKILL: a cancelled command has a second before it is left behind. */
const GRACE_MS = 750;

/** Rejects with what cancelled the command, for then nobody is there to read a result. */
export async function runContextProgram(
  context: CommandContext,
  argv: readonly [string, ...string[]],
  options: ContextRunOptions,
): Promise<ContextRunResult> {
  const { signal } = context;
  signal.throwIfAborted();
  const spec = specOf(context, argv, options);
  const { stdin, timeout, live = false } = options;
  const ending = await runProcess(spec, {
    signal,
    graceMs: GRACE_MS,
    ...(stdin === undefined ? {} : { stdin }),
    ...(timeout === undefined ? {} : { timeoutMs: limitOf(timeout) }),
    ...(live ? { onChunk: (channel, bytes) => context.write(bytes, channel) } : {}),
  });
  signal.throwIfAborted();
  for (const line of describeRemains(ending)) context.log(line);
  return toResult(ending, spec);
}

function specOf(
  { root, env }: CommandContext,
  argv: readonly string[],
  options: ContextRunOptions,
): CommandSpec {
  // A command may be JavaScript, or pass on what somebody typed.
  const [executable, ...args] = Array.isArray(argv) ? argv : [];
  if (typeof executable !== "string" || executable === "" || !args.every(isText))
    throw misuseOf('it takes a list of words: `context.run(["git", "status"])`');
  const cwd = options.cwd === undefined ? root : resolve(root, options.cwd);
  return { executable, args, cwd, env: { ...env.forChild(), ...options.env } };
}

const isText = (word: unknown): word is string => typeof word === "string";

function limitOf(timeout: string): number {
  const limitMs = parseDuration(timeout);
  if (limitMs === null) throw misuseOf("`timeout` is a duration like `30s`");
  return limitMs;
}

const misuseOf = (problem: string) => fault("InputInvalid", { what: "`context.run`", problem });

function toResult(ending: ProcessEnding, { executable }: CommandSpec): ContextRunResult {
  const exitCode = shellExitCode(ending);
  if (ending.kind === "not_started")
    throw fault("SpawnFailed", { program: executable, problem: ending.problem }, { exitCode });
  const { signal, truncated, durationMs } = ending;
  return {
    success: ending.kind === "exited" && exitCode === 0,
    exitCode,
    signal,
    stdout: textOf(ending.stdout),
    stderr: textOf(ending.stderr),
    truncated,
    durationMs,
  };
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString()
    .replace(/\r?\n$/, "");
