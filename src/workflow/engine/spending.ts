// What a run has spent and what its calls under way are expected to take, as far as this execution knows.
import type { CallUsage, Journal, RunRecord } from "../journal/journal.ts";
import {
  type BudgetDecision,
  type CallEstimate,
  decideBudget,
  estimateCall,
  tokensOf,
} from "./budget.ts";
import type { Clock } from "./clock.ts";

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
      this.#tokens += tokensOf(usage) ?? 0;
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
