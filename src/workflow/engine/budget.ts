// What a run may still spend. It is looked at before a call starts; calls under way count with what their like took.
import type { BudgetLimits } from "../definition/workflow.ts";
import type { CallUsage, Journal, RunRecord } from "../journal/journal.ts";
import type { Clock } from "./clock.ts";

/** Null is unknown. */
interface CallEstimate {
  readonly usd: number | null;
  readonly tokens: number | null;
}

interface Spending {
  readonly usd: number;
  readonly tokens: number;
  readonly calls: number;
  readonly timeMs: number;
}

export interface BudgetSituation {
  readonly limits: BudgetLimits;
  readonly spent: Spending;
  readonly underWay: readonly CallEstimate[];
  readonly next: CallEstimate;
  /** It was counted as a call before. */
  readonly isAgain: boolean;
}

type BudgetDecision =
  | { readonly kind: "start" }
  /** It may fit when one that is under way took less than is thought. */
  | { readonly kind: "wait" }
  | { readonly kind: "reached"; readonly reason: string };

export function decideBudget(situation: BudgetSituation): BudgetDecision {
  const { limits, spent, isAgain } = situation;
  if (limits.timeMs !== null && spent.timeMs >= limits.timeMs)
    return reached(`its ${Math.round(limits.timeMs / 1000)} s are over`);
  if (limits.calls !== null && !isAgain && spent.calls >= limits.calls)
    return reached(`its ${limits.calls} calls are made`);
  const money = decideAmount(limits.usd, spent.usd, amountsOf(situation, "usd"));
  if (money === "reached")
    return reached(`$${spent.usd.toFixed(2)} of its $${limits.usd} are spent`);
  const tokens = decideAmount(limits.tokens, spent.tokens, amountsOf(situation, "tokens"));
  if (tokens === "reached")
    return reached(`${spent.tokens} of its ${limits.tokens} tokens are spent`);
  return { kind: money === "wait" || tokens === "wait" ? "wait" : "start" };
}

const reached = (what: string): BudgetDecision => ({ kind: "reached", reason: `budget: ${what}` });

interface Amounts {
  readonly underWay: readonly (number | null)[];
  readonly next: number | null;
}

const amountsOf = ({ underWay, next }: BudgetSituation, unit: keyof CallEstimate): Amounts => ({
  underWay: underWay.map((estimate) => estimate[unit]),
  next: next[unit],
});

/** Of a kind that nobody knows yet one goes first and alone, and the others know by it. */
function decideAmount(
  limit: number | null,
  spent: number,
  { underWay, next }: Amounts,
): "start" | "wait" | "reached" {
  if (limit === null) return "start";
  if (spent >= limit) return "reached";
  if (underWay.length > 0 && (next === null || underWay.includes(null))) return "wait";
  const reserved = underWay.reduce((sum: number, amount) => sum + (amount ?? 0), 0);
  if (spent + reserved + (next ?? 0) <= limit) return "start";
  return underWay.length > 0 ? "wait" : "reached";
}

const countTokens = ({ inputTokens, outputTokens, totalTokens }: CallUsage): number | null =>
  inputTokens === null && outputTokens === null
    ? totalTokens
    : (inputTokens ?? 0) + (outputTokens ?? 0);

/** The ninetieth percentile: nine of ten took no more. */
function estimateCall(alike: readonly CallUsage[], maxUsd: number | null): CallEstimate {
  return {
    usd: maxUsd ?? percentile(alike.map(({ costUsd }) => costUsd)),
    tokens: percentile(alike.map(countTokens)),
  };
}

function percentile(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null).toSorted((a, b) => a - b);
  return known[Math.ceil(known.length * 0.9) - 1] ?? null;
}

export const NO_USAGE: CallUsage = {
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  costUsd: null,
};

/** What a call took over all its starts. */
export function addUsage(one: CallUsage | null, other: CallUsage): CallUsage {
  if (one === null) return other;
  return {
    inputTokens: add(one.inputTokens, other.inputTokens),
    outputTokens: add(one.outputTokens, other.outputTokens),
    totalTokens: add(one.totalTokens, other.totalTokens),
    costUsd: add(one.costUsd, other.costUsd),
  };
}

const add = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : one + other;

// What a run has spent and what its calls under way are expected to take, as far as this execution knows.

export interface BudgetedCall {
  readonly agent: string;
  readonly model: string | null;
  readonly maxUsd: number | null;
  readonly isAgain: boolean;
}

/** Newest first. */
const MAX_REMEMBERED = 100;

export class RunSpending {
  readonly #run: RunRecord;
  readonly #journal: Pick<Journal, "listAlike">;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #alike = new Map<string, CallUsage[]>();
  readonly #underWay = new Set<CallEstimate>();
  #usd: number;
  #tokens: number;
  #calls: number;

  constructor(run: RunRecord, journal: Pick<Journal, "listAlike" | "totals">, clock: Clock) {
    const totals = journal.totals(run.id);
    this.#run = run;
    this.#journal = journal;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#usd = totals.statedUsd;
    this.#tokens = totals.inputTokens + totals.outputTokens;
    this.#calls = totals.calls;
  }

  /** Without a call only the time counts. */
  decide(call: BudgetedCall | null): BudgetDecision {
    const { limits } = this.#run;
    return decideBudget({
      limits: call === null ? { ...limits, usd: null, tokens: null, calls: null } : limits,
      spent: {
        usd: this.#usd,
        tokens: this.#tokens,
        calls: this.#calls,
        timeMs: this.#run.activeMs + this.#clock.now() - this.#startedAt,
      },
      underWay: [...this.#underWay],
      next: call === null ? { usd: null, tokens: null } : this.#estimate(call),
      isAgain: call?.isAgain ?? false,
    });
  }

  /** Counts the call and what it is expected to take; gives what replaces that by what it took. */
  reserve(call: BudgetedCall): (usage: CallUsage) => void {
    const estimate = { ...this.#estimate(call) };
    this.#underWay.add(estimate);
    if (!call.isAgain) this.#calls++;
    return (usage) => {
      this.#underWay.delete(estimate);
      this.#usd += usage.costUsd ?? 0;
      this.#tokens += countTokens(usage) ?? 0;
      this.#remember(call, usage);
    };
  }

  get #isLimited(): boolean {
    const { usd, tokens } = this.#run.limits;
    return usd !== null || tokens !== null;
  }

  #estimate(call: BudgetedCall): CallEstimate {
    if (!this.#isLimited) return { usd: null, tokens: null };
    return estimateCall(this.#like(call), call.maxUsd);
  }

  #remember(call: BudgetedCall, usage: CallUsage): void {
    if (!this.#isLimited) return;
    const alike = this.#like(call);
    alike.unshift(usage);
    alike.length = Math.min(alike.length, MAX_REMEMBERED);
  }

  #like({ agent, model }: BudgetedCall): CallUsage[] {
    const key = `${agent} ${model ?? ""}`;
    const known = this.#alike.get(key);
    if (known !== undefined) return known;
    const alike = this.#journal.listAlike(agent, model);
    this.#alike.set(key, alike);
    return alike;
  }
}
