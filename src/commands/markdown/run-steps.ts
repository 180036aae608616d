// `pre` and `post`: command lines around the agent, by bash where there is one, else by sh.
import { findProgram } from "../../process/find-program.ts";
import { type ProcessEnding, shellExitCode } from "../../process/process-ending.ts";
import { runProcess } from "../../process/run-process.ts";

export interface StepPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** 0 is none. */
  readonly timeoutMs: number;
  readonly onChunk: (bytes: Uint8Array) => void | Promise<void>;
}

export interface StepFailure {
  readonly command: string;
  /** Continues "`command` …". */
  readonly problem: string;
  readonly exitCode: number;
}

export interface StepsEnding {
  readonly stdout: string;
  readonly failure: StepFailure | null;
}

const STDERR_SHOWN = 2_000;

/** One after the other, until one fails. */
export async function runSteps(
  commands: readonly string[],
  place: StepPlace,
): Promise<StepsEnding> {
  const { cwd, env, signal, timeoutMs, onChunk } = place;
  const bash = await findProgram("bash", { path: env.PATH, cwd });
  const executable = bash.kind === "found" ? bash.path : "sh";
  let stdout = "";
  for (const command of commands) {
    const spec = { executable, args: ["-c", command], env, cwd };
    const ending = await runProcess(spec, {
      signal,
      timeoutMs,
      onChunk: (channel, bytes) => (channel === "stderr" ? onChunk(bytes) : undefined),
    });
    stdout += Buffer.from(ending.stdout).toString();
    if (ending.kind !== "exited" || ending.exitCode !== 0)
      return { stdout, failure: { command, problem: describe(ending), exitCode: codeOf(ending) } };
  }
  return { stdout: stdout.trimEnd(), failure: null };
}

function describe(ending: ProcessEnding): string {
  const stderr = Buffer.from(ending.stderr).toString().trim().slice(-STDERR_SHOWN);
  return stderr === "" ? howItEnded(ending) : `${howItEnded(ending)}: ${stderr}`;
}

function howItEnded(ending: ProcessEnding): string {
  if (ending.kind === "exited") return `exited with ${ending.exitCode}`;
  if (ending.kind === "timed_out") return "did not end in time";
  if (ending.kind === "not_started") return `could not be started: ${ending.problem}`;
  return ending.kind === "cancelled" ? "was cancelled" : `was ended by ${ending.signal}`;
}

const codeOf = (ending: ProcessEnding): number =>
  ending.kind === "timed_out" ? 124 : shellExitCode(ending) || 1;
