// What is run, with which options, and how it ended: the words of everybody who runs programs.
import { constants } from "node:os";
import type { ExactValues } from "../secrets/mask.ts";

/** What to run, ready for the kernel: no shell, nothing left to look up but the program on PATH. */
export interface CommandSpec {
  readonly executable: string;
  readonly args: readonly string[];
  /** The whole environment of the child; nothing of this process's own is added but `ADJ_RUN_ID`. */
  readonly env: Readonly<Record<string, string>>;
  /** It is absolute. */
  readonly cwd: string;
}

export type Channel = "stdout" | "stderr";

interface OutputLimit {
  readonly bytes: number;
  /** `kill` ends the run; `discard` reads the rest and throws it away. Nothing past the limit is handed on. */
  readonly action: "kill" | "discard";
}

export interface RawFiles {
  readonly stdout: string;
  readonly stderr: string;
  /** Each file is whole up to here, then ends with a marker line; 1 GiB by default. */
  readonly limitBytes?: number;
  /** Secrets are masked, by their form and by these values; null: the bytes are saved as they came. */
  readonly secrets: ExactValues | null;
}

export interface RunOptions {
  /** Written while output is read, then closed; without it the child reads an end of file at once. */
  readonly stdin?: string | Uint8Array | AsyncIterable<string>;
  /** The child reads this process's own stdin, for what a person piped in; `stdin` is then left out. */
  readonly inheritsStdin?: boolean;
  /** Cancels: SIGTERM to the tree, the grace period, SIGKILL. */
  readonly signal?: AbortSignal;
  /** 0 is none. */
  readonly timeoutMs?: number;
  /** Between SIGTERM and SIGKILL; 5 s by default. */
  readonly graceMs?: number;
  /** Whether what a child leaves behind is ended after a normal exit too, which is the default. */
  readonly reap?: "always" | "on-kill";
  /** Unique; a random one by default. The child sees it as `ADJ_RUN_ID`, below an outer run as `outer/own`. */
  readonly runId?: string;
  /** Gets all output as it comes. A promise holds that channel back; a failure ends the run and rejects it. */
  readonly onChunk?: (channel: Channel, bytes: Uint8Array) => void | Promise<void>;
  /** Output held in memory, 10 MiB by default, counted over both channels or over each. */
  readonly keepBytes?: number;
  readonly keepOver?: "both" | "each";
  readonly outputLimit?: { readonly [channel in Channel]?: OutputLimit };
  readonly rawFiles?: RawFiles;
}

interface EndingFacts extends RunTimes {
  /** What was kept of the output, byte for byte. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** More came than was kept. */
  readonly truncated: boolean;
  /** Null where nothing was started. */
  readonly pid: number | null;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** A failure of a pipe or a raw file that did not end the run; a broken stdin pipe is none. */
  readonly ioProblem: string | null;
  /** Processes of the run that could not be ended, such as those of another user. */
  readonly survivors: readonly number[];
}

interface Exited extends EndingFacts {
  readonly kind: "exited";
  readonly exitCode: number;
}
interface Signalled extends EndingFacts {
  readonly kind: "signalled";
  readonly signal: NodeJS.Signals;
}
/** We ended it; exit code and signal say how it went down. */
interface Stopped extends EndingFacts {
  readonly kind: "timed_out" | "cancelled" | "output_limit";
}
interface NotStarted extends EndingFacts {
  readonly kind: "not_started";
  /** Continues "could not be started: …". */
  readonly problem: string;
  /** The system's name for it: `ENOENT`, `EACCES`, `E2BIG`. */
  readonly code: string;
}

/** How a process ended. Every ending is a value, and all have the same fields. */
export type ProcessEnding = Exited | Signalled | Stopped | NotStarted;

export const hasSucceeded = ({ kind, exitCode }: ProcessEnding): boolean =>
  kind === "exited" && exitCode === 0;

/** The last thing that a program said, which mostly is why it failed; null where it said nothing. */
export function lastLineOf(output: Uint8Array | string): string | null {
  const text = typeof output === "string" ? output : Buffer.from(output).toString();
  return text.trim().split("\n").at(-1)?.trim() || null;
}

/** An ending whose facts were observed; `stoppedBy` is null where it ended by itself. */
export function describeEnding(
  facts: EndingFacts,
  stoppedBy: Stopped["kind"] | null,
): ProcessEnding {
  const { exitCode, signal } = facts;
  if (stoppedBy !== null) return { ...facts, kind: stoppedBy };
  if (exitCode !== null) return { ...facts, kind: "exited", exitCode };
  if (signal !== null) return { ...facts, kind: "signalled", signal };
  throw new Error("a process ended by itself with neither an exit code nor a signal");
}

const nothingHappened = (times: RunTimes): EndingFacts => ({
  ...times,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  truncated: false,
  pid: null,
  exitCode: null,
  signal: null,
  ioProblem: null,
  survivors: [],
});

export function describeCancelledBeforeStart(times: RunTimes): ProcessEnding {
  return { ...nothingHappened(times), kind: "cancelled" };
}

export function describeNotStarted(
  times: RunTimes,
  { problem, code }: { readonly problem: string; readonly code: string },
): ProcessEnding {
  return { ...nothingHappened(times), kind: "not_started", problem, code };
}

/** The exit code by which a shell, or `timeout`, would report this ending. */
export function shellExitCode(ending: ProcessEnding): number {
  switch (ending.kind) {
    case "exited":
      return ending.exitCode;
    case "signalled":
      return 128 + constants.signals[ending.signal];
    case "timed_out":
      return 124;
    case "cancelled":
      return 130;
    case "output_limit":
      return 1;
    case "not_started":
      return ending.code === "ENOENT" ? 127 : 126;
  }
}

/** What the record says of a run beside how it ended, a line each. */
export const describeRemains = ({ ioProblem, survivors }: ProcessEnding): string[] => [
  ...(ioProblem === null ? [] : [ioProblem]),
  ...(survivors.length === 0 ? [] : [`could not be ended: process ${survivors.join(", ")}`]),
];

export interface RunTimes {
  readonly startedAt: string;
  readonly completedAt: string;
  readonly durationMs: number;
}

/** Starts now; the answer gives the times of a run that ends when it is called. */
export function startRunClock(): () => RunTimes {
  const startedAt = Date.now();
  const start = performance.now();
  return () => {
    const durationMs = Math.round(performance.now() - start);
    // The wall clock may be set while the run lasts: only the duration decides.
    const completedAt = new Date(startedAt + durationMs).toISOString();
    return { startedAt: new Date(startedAt).toISOString(), completedAt, durationMs };
  };
}
