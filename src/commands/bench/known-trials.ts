// What of a plan is known already, and what only of something that has changed since.
import { findStale, takeKnown } from "../../bench/planning/plan-trials.ts";
import type { BenchStore } from "../../bench/queue.ts";
import type { Suite } from "../../bench/suite.ts";
import type { TrialPlan, TrialResult } from "../../bench/trial.ts";

export interface KnownTrials {
  readonly known: readonly TrialResult[];
  readonly open: readonly TrialPlan[];
  /** Keys of open trials. */
  readonly stale: ReadonlySet<string>;
}

/** Every result there is of this suite, from any run. */
export const listBefore = async (store: BenchStore, { name }: Suite): Promise<TrialResult[]> =>
  (await Promise.all((await store.listRuns(name)).map(({ id }) => store.results(id)))).flat();

/** Where all is run again. */
export const nothingKnown = (plans: readonly TrialPlan[]): KnownTrials => ({
  known: [],
  open: plans,
  stale: new Set(),
});

export async function lookUpKnown(
  store: BenchStore,
  plans: readonly TrialPlan[],
  before: readonly TrialResult[],
): Promise<KnownTrials> {
  const fingerprints = plans.map(({ fingerprint }) => fingerprint);
  const known = takeKnown(plans, await store.findKnown(fingerprints));
  const done = new Set(known.map(({ key }) => key));
  const open = plans.filter(({ key }) => !done.has(key));
  return { known, open, stale: new Set(findStale(open, before)) };
}

export const describeKnown = ({ known, open, stale }: KnownTrials): string =>
  `${known.length} known, ${open.length} to run${stale.size === 0 ? "" : ` (${stale.size} of them stale)`}`;
