import { constants } from "node:os";
import type { RunTimes } from "./run-clock.ts";

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
