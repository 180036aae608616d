import type { StepName } from "./step.ts";

/** A turn may end after tests that take minutes; every other step has somebody waiting for it. */
const TURN_END_LIMIT_MS = 600_000;

/** How long the agent is told to wait at a step, given what it waits at most of them. */
export const limitOfStep = (step: StepName, limitMs: number): number =>
  step === "before_turn_end" || step === "subagent_end"
    ? Math.max(limitMs, TURN_END_LIMIT_MS)
    : limitMs;
