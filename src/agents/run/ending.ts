// How a run ended: the process's ending and the agent's own last word together. Exit codes alone lie:
// some agents exit 0 after a refused key, after SIGINT, or after being stopped.
import { lastLineOf, type ProcessEnding } from "../../core/process/command-spec.ts";
import type { CollectedLog } from "../log/collect-log.ts";
import { classifyFailure, type ErrorReason } from "../log/error-reasons.ts";
import type { Execution } from "../log/run-log.ts";
import { stripAnsi } from "../log/text.ts";
import type { OutputFormat } from "./adapter.ts";
import { MAX_OUTPUT_BYTES, truncationLine } from "./output/plain.ts";

export interface RunEnding {
  /** `dismissed`: it had said its last word, did not leave by itself, and was ended by us. */
  readonly kind: "exited" | "dismissed" | "signalled" | "timed_out" | "cancelled" | "not_started";
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why nothing was started, and the system's name for it. */
  readonly problem?: string;
  readonly code?: string;
}

export interface EndingFacts {
  readonly ending: RunEnding;
  readonly collected: CollectedLog;
  readonly format: OutputFormat;
  /** Clean; the tail of a long one. */
  readonly stderr: string;
  readonly timeoutMs: number;
}

interface EndingDecision {
  readonly status: Execution["status"];
  readonly errors: readonly { readonly reason: ErrorReason; readonly message: string }[];
}

export function decideEnding(facts: EndingFacts): EndingDecision {
  const { ending, collected } = facts;
  const stuck = describeOpenRetry(collected);
  switch (ending.kind) {
    case "not_started":
      return { status: "failed", errors: [describeNotStarted(ending)] };
    case "timed_out": {
      const message = `the run did not end within ${facts.timeoutMs} ms`;
      return { status: "timeout", errors: [...stuck, { reason: "TIMEOUT", message }] };
    }
    case "cancelled":
      return {
        status: "cancelled",
        errors: [...stuck, { reason: "CANCELLED", message: "the run was cancelled" }],
      };
    case "signalled": {
      const message = `the agent was ended by ${ending.signal ?? "a signal"}`;
      return { status: "failed", errors: [...stuck, { reason: "ABORTED", message }] };
    }
    case "exited":
    case "dismissed":
      return decideExit(facts);
  }
}

function decideExit(facts: EndingFacts): EndingDecision {
  const { ending, collected, format } = facts;
  const needsWord = format === "structured";
  const isSuccess = needsWord
    ? collected.final?.isSuccess === true
    : collected.final?.isSuccess !== false;
  const isClean = ending.kind === "dismissed" || ending.exitCode === 0;
  if (isClean && isSuccess) return { status: "success", errors: [] };
  const stuck = describeOpenRetry(collected);
  if (stuck.length > 0 || collected.errors.some(isCause))
    return { status: "failed", errors: stuck };
  return { status: "failed", errors: [explainExit(facts)] };
}

/** A noisy line or a cut output is worth a record but does not explain an ending. */
const isCause = ({ code }: { readonly code: string }): boolean =>
  !code.endsWith("_PARSE_ERROR") && !code.endsWith("_OUTPUT_TRUNCATED");

function describeOpenRetry({ openRetry }: CollectedLog): EndingDecision["errors"] {
  return openRetry === null ? [] : [{ reason: openRetry.reason, message: openRetry.message }];
}

function describeNotStarted({ problem, code }: RunEnding): EndingDecision["errors"][number] {
  const reason = code === "ENOENT" || code === "EACCES" ? "CLI_NOT_FOUND" : "UNKNOWN";
  return { reason, message: `the agent could not be started: ${problem ?? code ?? "unknown"}` };
}

/** The run said nothing about why: stderr, then the answer itself, may. */
function explainExit({
  ending,
  collected,
  format,
  stderr,
}: EndingFacts): EndingDecision["errors"][number] {
  const answer = format === "text" ? (collected.messages.at(-1)?.content ?? "") : "";
  const found = findCause(stderr) ?? (ending.exitCode === 0 ? null : findCause(answer));
  if (found !== null) return found;
  if (collected.final?.isSuccess === false)
    return { reason: "ABORTED", message: describeStop(collected.final.stopReason) };
  if (format === "structured" && collected.final === null)
    return { reason: "ABORTED", message: describeMissingWord(ending.exitCode, stderr) };
  return {
    reason: "UNKNOWN",
    message: lastLineOf(stderr) ?? `the agent exited with ${ending.exitCode}`,
  };
}

const describeStop = (reason: string | null): string =>
  `the agent stopped before it was done${reason === null ? "" : `: ${reason}`}`;

const describeMissingWord = (exitCode: number | null, stderr: string): string => {
  const last = lastLineOf(stderr);
  const ended = `the agent exited with ${exitCode} without its final word`;
  return last === null ? ended : `${ended}: ${last}`;
};

const CAUSE_LINES = 400;

function findCause(text: string): EndingDecision["errors"][number] | null {
  for (const line of text.split("\n").slice(-CAUSE_LINES)) {
    const message = line.trim();
    const reason = classifyFailure({ text: message });
    if (reason !== "UNKNOWN") return { reason, message };
  }
  return null;
}

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
  if (truncated) parts.push(`${truncationLine(MAX_OUTPUT_BYTES)}\n`);
  return parts
    .filter((part) => part !== "")
    .reduce(
      (whole, part) => `${whole}${whole === "" || whole.endsWith("\n") ? "" : "\n"}${part}`,
      "",
    );
}
