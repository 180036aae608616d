// An effect from its first start to its end: journaled when it begins, begun again after a quota or when somebody wants it
// again, and on disk before its result is handed on.
import type { JsonValue } from "../../core/command/context.ts";
import { Fault, formatFault, messageOf } from "../../core/command/fault.ts";
import type { CallUsage, EntryChange, JournalEntry } from "../journal/journal.ts";
import { type Admission, admitCall } from "./admission.ts";
import { addUsage, NO_USAGE } from "./budget.ts";
import { describeAsked, labelEffect, type ResolvedEffect } from "./content-key.ts";
import type { EffectOutcome } from "./effect.ts";
import { type LiveCall, quotaReason, type RunExecution } from "./execution.ts";

export const MAX_RESULT_BYTES = 10 * 1024 * 1024;

/** How one start of an effect ended. */
export type AttemptEnding =
  | {
      readonly kind: "done";
      readonly value: JsonValue;
      /** What is written of it where that is not the same: a person may have typed a secret. */
      readonly kept?: JsonValue;
      readonly usage?: CallUsage;
    }
  | { readonly kind: "quota"; readonly until: string | null; readonly usage: CallUsage }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly usage?: CallUsage;
      /** The script may catch it; else it is null to it. */
      readonly isThrown?: boolean;
    }
  | { readonly kind: "cancelled"; readonly usage?: CallUsage };

export interface Start {
  readonly entry: JournalEntry;
  /** It was under way before and is to go on where it can. */
  readonly isTakenUp: boolean;
  readonly signal: AbortSignal;
  /** Journals what becomes known on the way. */
  readonly note: (change: EntryChange) => void;
  /** It stands still until then, or for as long as nobody knows; null when it goes on. */
  readonly stand: (why: string | null, until?: number) => void;
}

export interface LiveRequest {
  readonly resolved: ResolvedEffect;
  readonly path: string;
  readonly ordinal: number;
  /** What the journal has of it, where that does not answer it. */
  readonly known: JournalEntry | null;
  readonly takesSlot: boolean;
  /** The session of a start that does not go on with an earlier one. */
  readonly newSession: () => string | null;
  readonly act: (start: Start) => Promise<AttemptEnding>;
}

type Manner = "first" | "taken-up" | "anew" | "after-quota";

export class LiveEffect implements LiveCall {
  readonly #execution: RunExecution;
  readonly #request: LiveRequest;
  #entry: JournalEntry | null;
  #manner: Manner;
  #usage: CallUsage | null;
  #controller = new AbortController();
  #intent: "skip" | "retry" | null = null;

  constructor(execution: RunExecution, request: LiveRequest) {
    this.#execution = execution;
    this.#request = request;
    this.#entry = request.known;
    this.#usage = request.known?.usage ?? null;
    this.#manner = mannerOf(request.known);
  }

  get isIdle(): boolean {
    return !this.#request.takesSlot;
  }

  cancel(intent: "skip" | "retry" | null): void {
    this.#intent ??= intent;
    this.#controller.abort();
  }

  async run(): Promise<EffectOutcome> {
    try {
      for (;;) {
        const outcome = await this.#attempt();
        if (outcome !== "again") return outcome;
      }
    } finally {
      if (this.#entry !== null) this.#execution.live.delete(this.#entry.number);
    }
  }

  async #attempt(): Promise<EffectOutcome | "again"> {
    const { activity } = this.#execution;
    const admission = await this.#admit();
    if (admission === null) return this.#settle({ kind: "cancelled" });
    if (this.#execution.isCancelled) {
      admission.settle({ kind: "called-off" }, NO_USAGE);
      return this.#settle({ kind: "cancelled" });
    }
    activity.begin(this);
    let isOver = false;
    try {
      const entry = this.#begin();
      const ending = asCancelled(await this.#act(entry), this.#controller.signal);
      const usage = ending.usage ?? NO_USAGE;
      if (ending.usage !== undefined) this.#usage = addUsage(this.#usage, ending.usage);
      isOver = true;
      admission.settle(lessonOf(ending), usage);
      return await this.#settle(ending);
    } finally {
      if (!isOver) admission.settle({ kind: "called-off" }, NO_USAGE);
      activity.end(this);
    }
  }

  async #admit(): Promise<Admission | null> {
    const { takesSlot, resolved } = this.#request;
    const { agent, model, effect } = resolved;
    if (!takesSlot) return this.#execution.end === null ? { settle: () => {} } : null;
    const maxUsd = effect.kind === "agent" ? effect.maxUsd : null;
    return admitCall(this.#execution, {
      call: agent === null ? null : { agent, model, maxUsd, isAgain: this.#entry !== null },
      isFirst: this.#manner === "after-quota",
      signal: this.#controller.signal,
    });
  }

  #begin(): JournalEntry {
    const { journal, run, live } = this.#execution;
    const number = this.#entry === null ? this.#beginFirst() : this.#beginAgain(this.#entry);
    const entry = journal.readEntry(run.id, number);
    if (entry === null) throw new TypeError("an entry that was written is not there");
    this.#entry = entry;
    live.set(number, this);
    return entry;
  }

  #beginFirst(): number {
    const { journal, run, clock } = this.#execution;
    const { resolved, path, ordinal, newSession } = this.#request;
    const { effect, content, agent, model } = resolved;
    return journal.begin(run.id, {
      ...{ kind: effect.kind, path, content, ordinal, agent, model },
      label: labelEffect(effect),
      phase: effect.kind === "agent" ? effect.phase : null,
      asked: describeAsked(effect, clock.now()),
      sessionId: newSession(),
    });
  }

  #beginAgain({ number, sessionId }: JournalEntry): number {
    const { journal, run } = this.#execution;
    journal.beginAgain(run.id, number);
    const session = this.#manner === "anew" ? this.#request.newSession() : null;
    if (session !== null && session !== sessionId)
      journal.change(run.id, number, { sessionId: session });
    return number;
  }

  async #act(entry: JournalEntry): Promise<AttemptEnding> {
    const wasSeen = this.#manner === "after-quota" && entry.conversation !== null;
    try {
      return await this.#request.act({
        entry,
        isTakenUp: this.#manner === "taken-up" || wasSeen,
        signal: this.#controller.signal,
        note: (change) => this.#note(entry.number, change),
        stand: (why, until) => {
          const standstill = why === null ? null : { why, until: until ?? null };
          this.#execution.activity.stand(this, standstill);
        },
      });
    } catch (error) {
      const message = error instanceof Fault ? formatFault(error) : messageOf(error);
      return { kind: "failed", code: error instanceof Fault ? error.code : "Internal", message };
    }
  }

  /** Called from the midst of others' work, where a full disk is none of their business. */
  #note(number: number, change: EntryChange): void {
    const { journal, run } = this.#execution;
    try {
      journal.change(run.id, number, change);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#execution.breakOff(error);
    }
  }

  async #settle(ending: AttemptEnding): Promise<EffectOutcome | "again"> {
    if (ending.kind === "cancelled") return this.#settleCancelled();
    if (ending.kind === "quota") return this.#waitForQuota(ending.until);
    if (ending.kind === "failed") return this.#fail(ending);
    const { value, kept = value } = ending;
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (bytes > MAX_RESULT_BYTES) {
      const message = `its result has ${bytes} bytes, and at most ${MAX_RESULT_BYTES} are kept`;
      return this.#fail({ kind: "failed", code: "ResultTooLarge", message });
    }
    await this.#write({ status: "done", result: kept, waiting: null });
    return { kind: "value", value, outputTokens: this.#outputTokens };
  }

  async #settleCancelled(): Promise<EffectOutcome | "again"> {
    const { end } = this.#execution;
    const intent = this.#intent;
    if (end !== null) {
      // One that nobody stopped is taken up by whoever goes on with the run.
      const isStopped = end.kind === "stopped" || end.kind === "over";
      if (isStopped && this.#entry?.status === "running")
        await this.#write({ status: "stopped", waiting: null });
      return this.#execution.ended();
    }
    if (intent === null)
      return this.#fail({ kind: "failed", code: "Cancelled", message: "it was cancelled" });
    this.#intent = null;
    this.#controller = new AbortController();
    if (intent === "retry") {
      await this.#write({ waiting: null, requested: null });
      this.#manner = "anew";
      return "again";
    }
    await this.#write({ status: "skipped", waiting: null, requested: null });
    return { kind: "null", reason: "skipped", outputTokens: this.#outputTokens };
  }

  async #waitForQuota(until: string | null): Promise<"again"> {
    const agent = this.#request.resolved.agent ?? "";
    const time = this.#execution.breakers.untilOf(agent);
    const named = time === null ? until : new Date(time).toISOString();
    const why = `${quotaReason(agent)}${named === null ? "" : ` until ${named}`}`;
    await this.#write({ waiting: why });
    this.#entry = this.#read();
    this.#manner = "after-quota";
    return "again";
  }

  async #fail(ending: Extract<AttemptEnding, { kind: "failed" }>): Promise<EffectOutcome> {
    const { code, message, isThrown = false } = ending;
    await this.#write({ status: "failed", problem: { code, message }, waiting: null });
    if (isThrown) return { kind: "thrown", message };
    return { kind: "null", reason: message, outputTokens: this.#outputTokens };
  }

  async #write(change: EntryChange): Promise<void> {
    const { journal, run } = this.#execution;
    const number = this.#entry?.number;
    if (number === undefined) return;
    const usage = this.#usage === null ? {} : { usage: this.#usage };
    await journal.together(() => journal.change(run.id, number, { ...change, ...usage }));
  }

  #read(): JournalEntry | null {
    const { journal, run } = this.#execution;
    return this.#entry === null ? null : journal.readEntry(run.id, this.#entry.number);
  }

  get #outputTokens(): number {
    return this.#usage?.outputTokens ?? 0;
  }
}

/** What was under way when its owner died or somebody stopped it goes on; what failed or is wanted again starts anew. */
function mannerOf(known: JournalEntry | null): Manner {
  if (known === null) return "first";
  const wasUnderWay = known.status === "running" || known.status === "stopped";
  return wasUnderWay && known.requested !== "retry" ? "taken-up" : "anew";
}

/** What was called off may say so in many ways; but a result that came all the same is one. */
const asCancelled = (ending: AttemptEnding, { aborted }: AbortSignal): AttemptEnding =>
  aborted && ending.kind !== "done"
    ? { kind: "cancelled", ...(ending.usage === undefined ? {} : { usage: ending.usage }) }
    : ending;

function lessonOf(ending: AttemptEnding): Parameters<Admission["settle"]>[0] {
  if (ending.kind === "quota") return { kind: "quota", until: ending.until };
  return { kind: ending.kind === "cancelled" ? "called-off" : "answered" };
}
