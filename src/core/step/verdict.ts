// What a handler may answer. All fields are optional; which ones count at a step is the table in step.ts.
import type { ToolArguments } from "./envelope.ts";

export const CONTROLS = ["proceed", "veto", "break", "continue", "skip"] as const;
export type Control = (typeof CONTROLS)[number];

export const PERMISSIONS = ["allow", "ask", "deny"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** An answer in place of the tool or command. */
export interface StepResult {
  readonly output: string;
  readonly error_output?: string;
  readonly exit_code?: number;
}

export interface Verdict {
  readonly control?: Control;
  readonly reason?: string;
  readonly additional_context?: readonly string[];
  readonly prompt?: string;
  readonly args?: ToolArguments;
  /** A text alone is its `output`. */
  readonly result?: StepResult;
  readonly permission?: Permission;
  readonly output?: string;
}

export type VerdictReading =
  | { readonly kind: "verdict"; readonly verdict: Verdict }
  /** Nothing of what the handler said is applied. */
  | { readonly kind: "invalid"; readonly problem: string };

// What all handlers of a step together decided.

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

/** The later a layer stands here, the more it is trusted. */
export type RuleLayer = "project" | "user" | "bundled";

export interface StepDecision {
  readonly control: "proceed" | "veto";
  /** A veto always has one. */
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
  /** A word of Adjutant's own to the person, at the start of a session. */
  readonly notice?: string;
}

export const NO_DECISION: StepDecision = {
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

/** Nobody decided it but to ask. */
export const wantsPerson = ({ control, permission, result }: StepDecision): boolean =>
  control === "proceed" && permission === "ask" && result === null;
