import type { ProcessEnding } from "../process/process-ending.ts";
import type { RunEnding } from "./decide-ending.ts";
import type { Execution } from "./run-log.ts";
import { stripAnsi } from "./strip-ansi.ts";
import { OUTPUT_LIMIT, truncationLine } from "./truncation.ts";

export function describeRunEnding(ended: ProcessEnding): RunEnding {
  const { exitCode, signal } = ended;
  if (ended.kind === "not_started") {
    const { problem, code } = ended;
    return { kind: "not_started", exitCode: null, signal: null, problem, code };
  }
  // The executor sets no limit of its own on output, so that ending is a death by signal.
  const kind = ended.kind === "output_limit" ? "signalled" : ended.kind;
  return { kind, exitCode, signal };
}

export function describeExecution(
  ended: Pick<ProcessEnding, "startedAt" | "completedAt" | "durationMs">,
  ending: RunEnding,
  status: Execution["status"],
): Execution {
  return {
    started_at: ended.startedAt,
    completed_at: ended.completedAt,
    duration_ms: ended.durationMs,
    exit_code: ending.exitCode,
    ...(ending.signal === null ? {} : { signal: ending.signal }),
    status,
    timed_out: status === "timeout",
  };
}

/** What was kept of both channels as clean text, with the mark where there was more. */
export function joinOutput({ stdout, stderr, truncated }: ProcessEnding): string {
  const parts = [stdout, stderr].map((bytes) => stripAnsi(Buffer.from(bytes).toString("utf8")));
  if (truncated) parts.push(`${truncationLine(OUTPUT_LIMIT)}\n`);
  return parts
    .filter((part) => part !== "")
    .reduce(
      (whole, part) => `${whole}${whole === "" || whole.endsWith("\n") ? "" : "\n"}${part}`,
      "",
    );
}
