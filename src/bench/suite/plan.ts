// A suite → its trials, and which of them are known already. Pure.
import { fillCase } from "./agents.ts";
import type { Suite, SuiteAgent, SuiteCase } from "./suite.ts";
import type { TrialPlan, TrialResult } from "./trial.ts";

export interface Selection {
  /** Ids or tags of cases, and ids of agents; all where there are none. Several may be joined by commas. */
  readonly only: readonly string[];
}

/** Also by the id that the matrix made several of. */
const isNamed = (id: string, word: string): boolean => id === word || id.startsWith(`${word}[`);

const selectsCase = ({ id, tags }: SuiteCase, word: string): boolean =>
  isNamed(id, word) || tags.includes(word);

/** A whole id may have commas in it. */
const wordsOf = ({ agents, cases }: Suite, { only }: Selection): string[] =>
  only.flatMap((word) =>
    [...agents, ...cases].some(({ id }) => id === word)
      ? [word]
      : word.split(",").map((part) => part.trim()),
  );

export function selectTrials(
  suite: Suite,
  selection: Selection,
): { readonly agents: readonly SuiteAgent[]; readonly cases: readonly SuiteCase[] } {
  const { agents, cases } = suite;
  const words = wordsOf(suite, selection);
  const namedAgents = agents.filter(({ id }) => words.some((word) => isNamed(id, word)));
  const namedCases = cases.filter((one) => words.some((word) => selectsCase(one, word)));
  return {
    agents: namedAgents.length === 0 ? agents : namedAgents,
    cases: namedCases.length === 0 ? cases : namedCases,
  };
}

/** Words that select nothing: most likely misspelt. */
export const unknownWords = (suite: Suite, selection: Selection): string[] =>
  wordsOf(suite, selection).filter(
    (word) =>
      !suite.agents.some(({ id }) => isNamed(id, word)) &&
      !suite.cases.some((one) => selectsCase(one, word)),
  );

export interface PlanTrialsOptions {
  readonly suite: Suite;
  readonly agents: readonly SuiteAgent[];
  readonly cases: readonly SuiteCase[];
  readonly runId: string;
  readonly repeat: number;
  fingerprint(one: SuiteCase, agent: SuiteAgent): string;
  files(one: SuiteCase, agent: SuiteAgent): TrialPlan["files"];
}

/** Round by round, so that an interrupted run has tried everything about equally often. */
export function planTrials(planning: PlanTrialsOptions): TrialPlan[] {
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
          usdLimit: suite.limits.usdPerTrial,
          files: planning.files(one, agent),
        };
      }),
    ),
  );
}

/** The newest result of each trial's own repetition, as a result of this run. */
export function reuseResults(
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
