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
  /** Nothing of it is applied. */
  | { readonly kind: "invalid"; readonly problem: string };
