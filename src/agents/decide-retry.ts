import { ERROR_REASONS, type ErrorReason, isTransient } from "./error-codes.ts";
import type { ErrorRecord, Execution } from "./run-log.ts";

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

export interface RetryFacts {
  readonly status: Execution["status"];
  readonly errors: readonly ErrorRecord[];
  /** Retries made so far. */
  readonly made: number;
  readonly allowed: number;
  readonly isWorkspaceUnchanged: boolean;
  /** From 0 to 1. */
  readonly chance: number;
}

/** How long to wait before the next try; null where there is to be none. */
export function decideRetry(facts: RetryFacts): number | null {
  if (facts.status !== "failed" || facts.made >= facts.allowed || !facts.isWorkspaceUnchanged)
    return null;
  const isPassing = facts.errors.some(({ code }) => isTransient(reasonOfCode(code)));
  if (!isPassing) return null;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** facts.made, LONGEST_DELAY_MS);
  return Math.round(delay * (0.5 + facts.chance));
}

const reasonOfCode = (code: string): ErrorReason =>
  ERROR_REASONS.find((reason) => code.endsWith(`_${reason}`)) ?? "UNKNOWN";
