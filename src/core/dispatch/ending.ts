// Every way a dispatch can end, as a value.
import { fileURLToPath } from "node:url";
import {
  Fault,
  type FaultReport,
  fault,
  formatFault,
  messageOf,
  reportFault,
  type Where,
} from "../command/fault.ts";
import type { FaultClass } from "../command/fault-codes.ts";
import type { OutcomeKind } from "../command/request.ts";
import { type CommandResult, fail } from "../command/result.ts";

export interface DispatchEnding {
  readonly kind: OutcomeKind;
  readonly result: CommandResult;
  readonly error: FaultReport | null;
}

const REJECTING: ReadonlySet<FaultClass> = new Set(["Usage", "Config", "Trust", "Consent", "Hook"]);

function kindOf(raised: Fault): OutcomeKind {
  if (raised.class === "Cancelled") return "cancelled";
  return REJECTING.has(raised.class) ? "rejected" : "failed";
}

export function endWithResult(result: CommandResult): DispatchEnding {
  return { kind: result.success ? "ok" : "failed", result, error: null };
}

/** What the command had already put out is kept beside the reason. */
export function endWithFault(
  raised: Fault,
  returned: Pick<CommandResult, "output" | "metadata"> | null = null,
): DispatchEnding {
  const exitCode = exitCodeOf(raised);
  const partial = returned ?? raised.partial;
  const result = fail(formatFault(raised), exitCode, partial?.metadata ?? null);
  const error = reportFault(raised);
  return { kind: kindOf(raised), result: { ...result, output: partial?.output ?? "" }, error };
}

/** A cancel by SIGTERM has its own exit code; the fault carries which signal it was. */
function exitCodeOf(raised: Fault): number {
  return "signal" in raised.facts && raised.facts.signal === "SIGTERM" ? 143 : raised.exitCode;
}

/** Whatever was thrown inside a dispatch. Class and code of a fault survive every wrapper. */
export function faultOf(name: string, thrown: unknown, signal: AbortSignal): Fault {
  if (signal.aborted) return cancelOf(name, signal.reason);
  const raised = findFault(thrown);
  if (raised !== null) return raised;
  return threwFault(name, thrown);
}

/** Something that is no fault was thrown, here or behind the command's back: its own line is named. */
export function threwFault(name: string, thrown: unknown): Fault {
  const where = whereThrown(thrown);
  const facts = { name, problem: messageOf(thrown) };
  return fault("HandlerThrew", facts, { ...(where === null ? {} : { where }), cause: thrown });
}

/** The modules of people's commands are imported under an address with `?v=`, and nothing else is. */
const OWN_FRAME = /(file:\/\/[^\s?()]+)\?v=[^\s:]*:(\d+):(\d+)/;

/** The innermost line of the command's own files; null where none of them is on the stack. */
function whereThrown(thrown: unknown): Where | null {
  const [, url, line, column] =
    OWN_FRAME.exec(thrown instanceof Error ? (thrown.stack ?? "") : "") ?? [];
  if (url === undefined) return null;
  return { file: fileURLToPath(url), line: Number(line), column: Number(column) };
}

/** Through causes and aggregates; a set, because an error may be its own cause. */
function findFault(thrown: unknown): Fault | null {
  const wrapped = new Set([thrown]);
  for (const error of wrapped) {
    if (error instanceof Fault) return error;
    if (error instanceof Error) wrapped.add(error.cause);
    if (error instanceof AggregateError) for (const one of error.errors) wrapped.add(one);
  }
  return null;
}

function cancelOf(name: string, reason: unknown): Fault {
  if (reason instanceof Fault) return reason;
  return fault("Cancelled", { name }, { cause: reason });
}
