// Runs and trials with nothing special about them.
import type { SuiteRunRecord } from "../../../src/bench/store/store.ts";
import type { SuiteAgent, SuiteCase } from "../../../src/bench/suite/suite.ts";
import type { TrialPlan } from "../../../src/bench/suite/trial.ts";

export const CASE: SuiteCase = {
  id: "a",
  tags: [],
  workspace: { kind: "empty" },
  task: { kind: "prompt", text: "do it" },
  setup: [],
  teardown: [],
  env: [],
  evaluators: [],
  solution: null,
  timeoutMs: null,
  labels: [],
  unsupported: null,
};
export const AGENT: SuiteAgent = {
  id: "x",
  agent: "replay",
  config: {},
  concurrency: null,
  ratePerMinute: null,
  sandbox: { kind: "none", network: true, mounts: [], missing: null },
};

const planOf = (
  runId: string,
  repetition: number,
  { agent = AGENT, labels = [] }: { agent?: SuiteAgent; labels?: readonly string[] } = {},
): TrialPlan => ({
  runId,
  key: `a/${agent.id}/${repetition}`,
  case: { ...CASE, labels },
  agent,
  repetition,
  fingerprint: `f-${repetition}`,
  suiteFolder: "/suite",
  timeoutMs: 1_000,
  files: null,
});

export const plansOf = (runId: string, count: number, options = {}): TrialPlan[] =>
  Array.from({ length: count }, (_, at) => planOf(runId, at + 1, options));

export const runOf = (id: string, given: Partial<SuiteRunRecord> = {}): SuiteRunRecord => ({
  id,
  suite: "suite",
  suiteFile: "/suite/suite.yaml",
  startedAt: "2026-01-01T00:00:00.000Z",
  finishedAt: null,
  state: "running",
  trials: 2,
  definition: "{}",
  concurrency: 100,
  usdLimit: null,
  ...given,
});
