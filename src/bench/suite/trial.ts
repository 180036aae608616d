// One trial: case × agent × repetition, before and after it ran. Plain data, stored as JSON.
import type { SuiteAgent, SuiteCase } from "./suite.ts";

export type TrialEnding =
  | "passed"
  | "failed"
  | "refused"
  | "agent_error"
  | "infra"
  | "limit"
  | "timeout"
  | "cancelled";

/** Everything a worker needs; files travel by content, see `files`. */
export interface TrialPlan {
  readonly runId: string;
  /** `CASE/AGENT/REPETITION`, unique within the run. */
  readonly key: string;
  readonly case: SuiteCase;
  readonly agent: SuiteAgent;
  /** From 1. */
  readonly repetition: number;
  /** Of suite, case files, command file, agent, version, model and adapter. */
  readonly fingerprint: string;
  readonly suiteFolder: string;
  readonly timeoutMs: number;
  /** What this trial alone may cost; missing and null are no limit. */
  readonly usdLimit?: number | null;
  /** The case's files as stored content, by path; null where the worker reads them from this machine. */
  readonly files: Readonly<Record<string, string>> | null;
}

export interface Evaluation {
  readonly id: string;
  readonly type: string;
  readonly weight: number;
  readonly status: "passed" | "failed" | "skipped" | "broken";
  /** From 0 to 1; null where it could not be told. */
  readonly score: number | null;
  readonly message: string;
  readonly metrics: Readonly<Record<string, number>>;
  /** Names of files kept with the trial. */
  readonly artifacts: readonly string[];
  readonly durationMs: number;
}

export interface TrialResult {
  readonly runId: string;
  readonly key: string;
  readonly caseId: string;
  readonly agentId: string;
  readonly repetition: number;
  readonly fingerprint: string;
  readonly ending: TrialEnding;
  /** One line; null where the ending says it all. */
  readonly reason: string | null;
  /** The weighted mean of the scores; null where nothing was graded. */
  readonly score: number | null;
  readonly evaluations: readonly Evaluation[];
  readonly agentVersion: string | null;
  readonly model: string | null;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  readonly turns: number | null;
  readonly toolCalls: number | null;
  readonly agentMs: number | null;
  readonly startedAt: string;
  readonly durationMs: number;
  /** How often it was tried, the one that counts included. */
  readonly attempts: number;
  readonly worker: string;
  /** The run log, the patch and other artifacts of the trial, by name, as stored content. */
  readonly artifacts: Readonly<Record<string, string>>;
  /** The run it was taken over from, where its fingerprint was known. */
  readonly reusedFrom: string | null;
}
