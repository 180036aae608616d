import { findProgram } from "../../../process/find-program.ts";
import type { ProcessEnding } from "../../../process/process-ending.ts";
import { runProcess } from "../../../process/run-process.ts";
import type { InlineOutput, RunInline } from "../world.ts";

export interface InlinePlace {
  /** Where the command was invoked. */
  readonly cwd: string;
  /** What every child is given; a body's variables come over it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const LIMIT_MS = 30_000;
/** More is counted, not kept. */
export const OUTPUT_LIMIT = 100 * 1024;

/** Runs inline commands by bash where there is one, else by sh, without any start-up file. */
export function createInlineRunner(place: InlinePlace): RunInline {
  const { cwd, environment, timeoutMs = LIMIT_MS } = place;
  const chooseShell = once(async () => {
    const bash = await findProgram("bash", { path: environment.PATH, cwd });
    return bash.kind === "found" ? "bash" : "sh";
  });
  return async (command, { env, signal }) => {
    const shell = await chooseShell();
    const spec = { executable: shell, args: ["-c", command], env: { ...environment, ...env }, cwd };
    let totalBytes = 0;
    const ending = await runProcess(spec, {
      signal,
      timeoutMs,
      keepBytes: OUTPUT_LIMIT,
      keepOver: "each",
      onChunk: (channel, bytes) => {
        if (channel === "stdout") totalBytes += bytes.length;
      },
    });
    return describe(ending, totalBytes, timeoutMs);
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => (made ??= make());
}

const STDERR_SHOWN = 2_000;

function describe(ending: ProcessEnding, totalBytes: number, limitMs: number): InlineOutput {
  if (ending.kind === "timed_out") return { kind: "timed_out", limitMs };
  if (ending.kind === "cancelled") return { kind: "cancelled" };
  if (ending.kind === "exited" && ending.exitCode === 0)
    return { kind: "ok", stdout: ending.stdout, totalBytes };
  const stderr = Buffer.from(ending.stderr).toString().trim().slice(-STDERR_SHOWN);
  return { kind: "failed", problem: problemOf(ending), stderr };
}

function problemOf(ending: ProcessEnding): string {
  if (ending.kind === "exited") return `exited with ${ending.exitCode}`;
  if (ending.kind === "signalled") return `was ended by ${ending.signal}`;
  return ending.kind === "not_started" ? `could not be started: ${ending.problem}` : ending.kind;
}
