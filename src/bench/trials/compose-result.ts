import type { RunLog } from "../../agents/run-log.ts";
import { cutLine } from "../../agents/transcript/cut-lines.ts";
import type { Claim } from "../queue.ts";
import type { TrialResult } from "../trial.ts";
import type { GradedEnding } from "./decide-ending.ts";

/** What one try came to. */
export interface Course extends GradedEnding {
  readonly log: RunLog | null;
  readonly evaluations: TrialResult["evaluations"];
  readonly artifacts: TrialResult["artifacts"];
}

/** Of a try of which nothing is known but how it ended. */
export const NOTHING: Course = {
  ending: "infra",
  reason: null,
  score: null,
  log: null,
  evaluations: [],
  artifacts: {},
};

/** An error may quote a path of any length. */
const LONGEST_REASON = 500;

type Facts = Pick<TrialResult, "startedAt" | "durationMs" | "worker">;

export function composeResult({ plan, attempt }: Claim, course: Course, facts: Facts): TrialResult {
  const { log } = course;
  return {
    runId: plan.runId,
    key: plan.key,
    caseId: plan.case.id,
    agentId: plan.agent.id,
    repetition: plan.repetition,
    fingerprint: plan.fingerprint,
    ending: course.ending,
    reason: course.reason === null ? null : cutLine(course.reason, LONGEST_REASON),
    score: course.score,
    evaluations: course.evaluations,
    agentVersion: log?.agent_info.version ?? null,
    model: log?.model_info.name ?? null,
    costUsd: log?.cost?.usd ?? null,
    tokens: log?.usage.total_tokens ?? null,
    turns: log?.turns ?? null,
    toolCalls: log === null ? null : log.tool_calls.length,
    agentMs: log?.execution.duration_ms ?? null,
    ...facts,
    attempts: attempt,
    artifacts: course.artifacts,
    reusedFrom: null,
  };
}
