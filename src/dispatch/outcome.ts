import type { FaultReport } from "../command/fault.ts";
import type { CommandResult } from "../command/result.ts";

export type OutcomeKind = "ok" | "failed" | "rejected" | "cancelled";

/** How a dispatch ended. Every ending is a value; only a bug throws. */
export interface Outcome {
  readonly kind: OutcomeKind;
  readonly result: CommandResult;
  readonly error?: FaultReport;
  readonly correlationId: string;
  readonly durationMs: number;
}
