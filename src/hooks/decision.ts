// What all handlers of a step together decided.
import type { ToolArguments } from "./envelope.ts";
import type { Permission, StepResult } from "./verdict.ts";

export interface HandlerReport {
  readonly rule: string;
  readonly layer: RuleLayer;
  readonly durationMs: number;
  readonly did: "nothing" | "changed" | "vetoed" | "failed" | "observed";
  /** What went wrong, or the reason of a veto. */
  readonly note: string | null;
  /** What a handler that went well wrote to stderr; for the audit, never for the model. */
  readonly stderr: string | null;
}

/** The more trusted the later. */
export type RuleLayer = "project" | "user" | "bundled";

export interface Decision {
  readonly control: "proceed" | "veto";
  /** Always there with a veto. */
  readonly reason: string | null;
  /** The rule that vetoed or denied. */
  readonly decidedBy: string | null;
  readonly permission: Permission | null;
  /** Null where nobody rewrote them; else whole. */
  readonly args: ToolArguments | null;
  readonly result: StepResult | null;
  readonly prompt: string | null;
  readonly output: string | null;
  readonly additionalContext: readonly string[];
  readonly reports: readonly HandlerReport[];
  /** What the person who owns the hooks should know; goes to the audit. */
  readonly diagnostics: readonly string[];
  readonly isCancelled: boolean;
}

export const NO_DECISION: Decision = {
  control: "proceed",
  reason: null,
  decidedBy: null,
  permission: null,
  args: null,
  result: null,
  prompt: null,
  output: null,
  additionalContext: [],
  reports: [],
  diagnostics: [],
  isCancelled: false,
};
