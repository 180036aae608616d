// One execution of a run: everything that its effects share, and how it ends.
import type { Fault } from "../../core/command/fault.ts";
import type { Journal, RunRecord } from "../journal/journal.ts";
import { RunActivity, type Standstill } from "./activity.ts";
import type { AgentBreakers } from "./breakers.ts";
import { RunSpending } from "./budget.ts";
import type { Clock } from "./clock.ts";
import type { EffectOutcome, EffectPorts } from "./effect.ts";
import { RecordedCalls } from "./recorded-calls.ts";
import { CallSlots } from "./slots.ts";

export interface ExecutionOptions {
  readonly run: RunRecord;
  readonly journal: Journal;
  readonly ports: EffectPorts;
  readonly breakers: AgentBreakers;
  readonly clock: Clock;
  readonly newId: () => string;
  /** What agents are started with beside the base set; kept in memory only. */
  readonly env: Readonly<Record<string, string>>;
  /** Told whenever something began, ended, or stands still. */
  readonly onActivity?: () => void;
}

/** Why nothing new begins any more. */
export type ExecutionEnd =
  /** The workflow has returned or thrown. */
  | { readonly kind: "over"; readonly reason: string }
  /** Somebody stopped it, or its budget is reached. */
  | { readonly kind: "stopped"; readonly reason: string }
  /** The process leaves; another goes on. */
  | { readonly kind: "left"; readonly reason: string }
  /** The journal cannot be written. */
  | { readonly kind: "broken"; readonly reason: string; readonly fault: Fault };

/** An effect that has begun and not ended. */
export interface LiveCall {
  /** It only waits, for a person or for a time. */
  readonly isIdle: boolean;
  /** Calls it off; without an intent because the execution ends. */
  cancel(intent: "skip" | "retry" | null): void;
}

export class RunExecution {
  readonly run: RunRecord;
  readonly journal: Journal;
  readonly ports: EffectPorts;
  readonly breakers: AgentBreakers;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly env: Readonly<Record<string, string>>;
  readonly recorded: RecordedCalls;
  readonly slots: CallSlots;
  readonly spending: RunSpending;
  readonly activity: RunActivity;
  readonly live = new Map<number, LiveCall>();
  /** To be called when something began, ended, waits or goes on. */
  readonly tellActivity: () => void;
  readonly #forgetBreakers: () => void;
  readonly #ending = new AbortController();
  #end: ExecutionEnd | null = null;
  #isPaused = false;
  #isCancelled = false;
  #unanswered = 0;
  readonly #settled: (() => void)[] = [];

  constructor(options: ExecutionOptions) {
    const { run, journal, clock } = options;
    this.run = run;
    this.journal = journal;
    this.ports = options.ports;
    this.breakers = options.breakers;
    this.clock = clock;
    this.newId = options.newId;
    this.env = options.env;
    this.tellActivity = options.onActivity ?? (() => {});
    this.recorded = new RecordedCalls(journal.listKeys(run.id));
    this.slots = new CallSlots(run.atOnce);
    this.spending = new RunSpending(run, journal, clock);
    this.activity = new RunActivity(() => this.tellActivity());
    this.#forgetBreakers = options.breakers.onChange(() => {
      this.slots.start();
      this.tellActivity();
    });
  }

  get end(): ExecutionEnd | null {
    return this.#end;
  }

  /** Aborted when nothing new begins any more. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** What is under way is called off, too: whoever was let in a moment ago does not begin. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** No new call starts while it is paused; those under way go on. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.slots.pause(isPaused);
    this.tellActivity();
  }

  /** Nothing new begins; what only waits is called off, and with `cancel` what works, too. The first reason counts. */
  finish(end: ExecutionEnd, { cancel }: { readonly cancel: boolean }): void {
    if (this.#end === null || end.kind === "broken") this.#end = end;
    this.#isCancelled ||= cancel;
    this.#ending.abort();
    this.slots.close();
    for (const call of [...this.live.values()]) if (cancel || call.isIdle) call.cancel(null);
  }

  /** The journal cannot be written: all that is under way can be taken up when it can. */
  breakOff(fault: Fault): void {
    this.finish({ kind: "broken", reason: fault.message, fault }, { cancel: true });
  }

  ended(): EffectOutcome {
    return { kind: "ended", reason: this.#end?.reason ?? "it has ended" };
  }

  /** Agents that are left alone and for which calls wait. */
  queuedStandstills(): Standstill[] {
    return this.slots.waitingFor.flatMap((agent) => {
      const until = this.breakers.untilOf(agent);
      return until === null ? [] : [{ why: quotaReason(agent), until }];
    });
  }

  /** Counts an effect until it is answered. */
  async follow<Result>(effect: Promise<Result>): Promise<Result> {
    this.#unanswered++;
    try {
      return await effect;
    } finally {
      if (--this.#unanswered === 0) for (const settle of this.#settled.splice(0)) settle();
    }
  }

  /** Until every effect is answered. */
  async drained(): Promise<void> {
    while (this.#unanswered > 0) await new Promise<void>((resolve) => this.#settled.push(resolve));
  }

  /** Lets go of what it shares with others. */
  close(): void {
    this.slots.close();
    this.#forgetBreakers();
  }
}

export const quotaReason = (agent: string): string => `the quota of \`${agent}\` is used up`;
