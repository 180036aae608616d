// What a trial's ending is, from what is known of the run and of its grading. Pure.
import { type ErrorReason, reasonOfCode } from "../../agents/log/error-reasons.ts";
import type { RunLog } from "../../agents/log/run-log.ts";
import { capText, cutLine } from "../../agents/log/text.ts";
import type { TrialClaim } from "../store/store.ts";
import type { Evaluation, TrialEnding, TrialResult } from "../suite/trial.ts";

export interface DecidedEnding {
  readonly ending: TrialEnding;
  readonly reason: string | null;
  /** Another try would end the same way. */
  readonly isLasting?: boolean;
}

const BY_REASON: Readonly<Partial<Record<ErrorReason, TrialEnding>>> = {
  CLI_NOT_FOUND: "infra",
  AUTH_FAILED: "infra",
  INVALID_CONFIG: "infra",
  RATE_LIMIT: "infra",
  OVERLOADED: "infra",
  NETWORK: "infra",
  TIMEOUT: "timeout",
  CANCELLED: "cancelled",
  MAX_TURNS: "limit",
  REFUSED: "refused",
};

const LASTING_REASONS: ReadonlySet<ErrorReason> = new Set([
  "CLI_NOT_FOUND",
  "AUTH_FAILED",
  "INVALID_CONFIG",
]);

/** Null where the agent did its work and can be graded. It was stopped where it said that it spends more than the limit. */
export function endingOfRun(log: RunLog, usdLimit: number | null): DecidedEnding | null {
  const { status } = log.execution;
  const spent = log.cost?.usd ?? 0;
  if (usdLimit !== null && spent > usdLimit)
    return { ending: "limit", reason: `it cost $${spent.toFixed(4)}, at most $${usdLimit}` };
  // Some agents exit 0 after their quota ran out: the errors tell.
  const causes = log.errors.map(({ code, message }) => {
    const reason = reasonOfCode(code);
    return { ending: BY_REASON[reason], message, isLasting: LASTING_REASONS.has(reason) };
  });
  const cause = causes.find(({ ending }) => ending !== undefined);
  if (status === "timeout") return { ending: "timeout", reason: causes.at(-1)?.message ?? null };
  if (status === "cancelled") return { ending: "cancelled", reason: null };
  if (status === "success" && cause?.ending !== "infra") return null;
  const ending = cause?.ending ?? "agent_error";
  const reason = cause?.message ?? log.errors[0]?.message ?? null;
  return { ending, reason, isLasting: cause?.isLasting === true };
}

/** It is one line of a report. */
const MAX_REASON_LENGTH = 500;

export interface Grades {
  readonly evaluations: readonly Evaluation[];
  /** Said something, called a tool, or changed a file. */
  readonly didAnything: boolean;
}

interface GradedEnding extends DecidedEnding {
  readonly score: number | null;
}

export function endingOfGrades({ evaluations, didAnything }: Grades): GradedEnding {
  const broken = evaluations.find(({ status }) => status === "broken");
  if (broken !== undefined)
    return {
      ending: "infra",
      reason: capText(`evaluator \`${broken.id}\` broke: ${broken.message}`, MAX_REASON_LENGTH),
      score: null,
    };
  const score = weighScores(evaluations);
  // What is left alone breaks no rule, and is no work either.
  if (!didAnything) return { ending: "failed", reason: "the agent did nothing", score };
  const failed = evaluations.find(({ status, weight }) => status === "failed" && weight > 0);
  if (failed !== undefined)
    return { ending: "failed", reason: `\`${failed.id}\`: ${failed.message}`, score };
  const untold = findUntold(evaluations);
  if (untold !== null) {
    const reason = `nothing could be told, \`${untold.id}\`: ${untold.message}`;
    return { ending: "infra", reason, score, isLasting: true };
  }
  return { ending: "passed", reason: null, score };
}

/** The first of several that were to decide, where all of them were skipped: then nothing was asserted. */
function findUntold(evaluations: readonly Evaluation[]): Evaluation | null {
  const deciding = evaluations.filter(({ weight }) => weight > 0);
  return deciding.every(({ status }) => status === "skipped") ? (deciding[0] ?? null) : null;
}

function weighScores(evaluations: readonly Evaluation[]): number | null {
  let total = 0;
  let weights = 0;
  for (const { score, weight } of evaluations) {
    if (score === null) continue;
    total += score * weight;
    weights += weight;
  }
  return weights === 0 ? null : total / weights;
}

/** What one try came to. */
export interface AttemptResult extends GradedEnding {
  readonly log: RunLog | null;
  readonly evaluations: TrialResult["evaluations"];
  readonly artifacts: TrialResult["artifacts"];
}

/** Of a try of which nothing is known but how it ended. */
export const EMPTY_ATTEMPT: AttemptResult = {
  ending: "infra",
  reason: null,
  score: null,
  log: null,
  evaluations: [],
  artifacts: {},
};

type Facts = Pick<TrialResult, "startedAt" | "durationMs" | "worker">;

export function composeResult(
  { plan, attempt }: TrialClaim,
  result: AttemptResult,
  facts: Facts,
): TrialResult {
  const { log } = result;
  return {
    runId: plan.runId,
    key: plan.key,
    caseId: plan.case.id,
    agentId: plan.agent.id,
    repetition: plan.repetition,
    fingerprint: plan.fingerprint,
    ending: result.ending,
    reason: result.reason === null ? null : cutLine(result.reason, MAX_REASON_LENGTH),
    score: result.score,
    evaluations: result.evaluations,
    agentVersion: log?.agent_info.version ?? null,
    model: log?.model_info.name ?? null,
    costUsd: log?.cost?.usd ?? null,
    tokens: log?.usage.total_tokens ?? null,
    turns: log?.turns ?? null,
    toolCalls: log === null ? null : log.tool_calls.length,
    agentMs: log?.execution.duration_ms ?? null,
    ...facts,
    attempts: attempt,
    artifacts: result.artifacts,
    reusedFrom: null,
  };
}
