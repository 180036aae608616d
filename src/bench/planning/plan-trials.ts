// A suite → its trials, and which of them are known already. Pure.
import { fillCase } from "../agent-files.ts";
import type { Suite, SuiteAgent, SuiteCase } from "../suite.ts";
import type { TrialPlan, TrialResult } from "../trial.ts";

export interface Selection {
  /** Ids or tags of cases, and ids of agents; all where there are none. */
  readonly only: readonly string[];
}

export function selectTrials(
  { agents, cases }: Suite,
  { only }: Selection,
): { readonly agents: readonly SuiteAgent[]; readonly cases: readonly SuiteCase[] } {
  const namedAgents = agents.filter(({ id }) => only.includes(id));
  const isCaseNamed = ({ id, tags }: SuiteCase) =>
    only.includes(id) || tags.some((tag) => only.includes(tag));
  const namedCases = cases.filter(isCaseNamed);
  return {
    agents: namedAgents.length === 0 ? agents : namedAgents,
    cases: namedCases.length === 0 ? cases : namedCases,
  };
}

/** Words that select nothing: most likely misspelt. */
export const unknownWords = ({ agents, cases }: Suite, { only }: Selection): string[] =>
  only.filter(
    (word) =>
      !agents.some(({ id }) => id === word) &&
      !cases.some(({ id, tags }) => id === word || tags.includes(word)),
  );

export interface Planning {
  readonly suite: Suite;
  readonly agents: readonly SuiteAgent[];
  readonly cases: readonly SuiteCase[];
  readonly runId: string;
  readonly repeat: number;
  fingerprint(one: SuiteCase, agent: SuiteAgent): string;
  files(one: SuiteCase, agent: SuiteAgent): TrialPlan["files"];
}

/** Round by round, so that an interrupted run has tried everything about equally often. */
export function planTrials(planning: Planning): TrialPlan[] {
  const { suite, agents, cases, runId, repeat } = planning;
  const runnable = cases.filter(({ unsupported }) => unsupported === null);
  return Array.from({ length: repeat }, (_, at) => at + 1).flatMap((repetition) =>
    runnable.flatMap((one) =>
      agents.map((entry) => {
        const agent = { ...entry, config: fillCase(entry.config, one.id) };
        return {
          runId,
          key: `${one.id}/${agent.id}/${repetition}`,
          case: one,
          agent,
          repetition,
          fingerprint: planning.fingerprint(one, agent),
          suiteFolder: suite.folder,
          timeoutMs: one.timeoutMs ?? suite.limits.timeoutMs,
          files: planning.files(one, agent),
        };
      }),
    ),
  );
}

/** The newest result of each trial's own repetition, as a result of this run. */
export function takeKnown(
  plans: readonly TrialPlan[],
  known: readonly TrialResult[],
): TrialResult[] {
  const byKey = new Map<string, TrialResult>();
  // Without a run of the agent, as past the budget, there is nothing that would be the same again.
  const tried = known.filter(({ agentMs }) => agentMs !== null);
  for (const result of tried.toReversed())
    byKey.set(`${result.fingerprint} ${result.repetition}`, result);
  return plans.flatMap(({ runId, key, fingerprint, repetition }) => {
    const result = byKey.get(`${fingerprint} ${repetition}`);
    if (result === undefined) return [];
    return [{ ...result, runId, key, reusedFrom: result.reusedFrom ?? result.runId }];
  });
}

/** Trials that have results, but of something that has changed since. */
export function findStale(
  open: readonly TrialPlan[],
  results: readonly TrialResult[],
): readonly string[] {
  const tried = new Set(results.map(({ key }) => key));
  const known = new Set(results.map(({ fingerprint }) => fingerprint));
  return open
    .filter(({ key, fingerprint }) => tried.has(key) && !known.has(fingerprint))
    .map(({ key }) => key);
}
