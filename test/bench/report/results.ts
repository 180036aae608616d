import type { TrialEnding, TrialResult } from "../../../src/bench/suite/trial.ts";

/** A result with nothing special about it. */
export const result = (
  given: Partial<TrialResult> & { readonly ending: TrialEnding },
): TrialResult => {
  const { caseId = "a", agentId = "x", repetition = 1 } = given;
  return {
    runId: "run",
    key: `${caseId}/${agentId}/${repetition}`,
    caseId,
    agentId,
    repetition,
    fingerprint: "f",
    reason: null,
    score: null,
    evaluations: [],
    agentVersion: "1.0.0",
    model: "m",
    costUsd: null,
    tokens: null,
    turns: null,
    toolCalls: null,
    agentMs: 1,
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 1,
    attempts: 1,
    worker: "w",
    artifacts: {},
    reusedFrom: null,
    ...given,
  };
};
