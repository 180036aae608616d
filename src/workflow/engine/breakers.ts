// An agent whose quota is used up is left alone until it is back: no call to it starts, and then one alone tries. The
// breakers are kept in the journal and shared by all runs of a process.
import type { AgentPause, Journal } from "../journal/journal.ts";
import type { Clock } from "./clock.ts";

/** Where the agent does not say when its quota is back; the last one counts from then on. */
const BACKOFF_MS: readonly number[] = [60_000, 120_000, 300_000, 600_000];

type Breaker =
  | { readonly kind: "open"; readonly until: number; readonly times: number }
  /** The time has come, and one call is on its way to find out. */
  | { readonly kind: "trying"; readonly times: number };

interface BreakerOptions {
  readonly journal: Pick<Journal, "listPauses" | "writePause">;
  readonly clock: Clock;
  readonly backoffMs?: readonly number[];
}

/** Until when the agent is left alone; a time that is past or unknown is replaced by a wait that grows. */
export function decidePause(
  { until, times }: { readonly until: string | null; readonly times: number },
  now: number,
  backoffMs: readonly number[] = BACKOFF_MS,
): number {
  const named = until === null ? Number.NaN : Date.parse(until);
  if (named > now) return named;
  return now + (backoffMs[Math.min(times, backoffMs.length) - 1] ?? 0);
}

export class AgentBreakers {
  readonly #options: BreakerOptions;
  readonly #breakers = new Map<string, Breaker>();
  readonly #listeners = new Set<() => void>();
  readonly #timers = new Map<string, () => void>();

  constructor(options: BreakerOptions) {
    this.#options = options;
    for (const pause of options.journal.listPauses()) this.#restore(pause);
  }

  #restore({ agent, until, times }: AgentPause): void {
    this.#open(agent, { kind: "open", until: Date.parse(until), times });
  }

  canStart(agent: string): boolean {
    const breaker = this.#breakers.get(agent);
    if (breaker === undefined) return true;
    return breaker.kind === "open" && breaker.until <= this.#options.clock.now();
  }

  /** Until when no call to it starts; null where one may, or one is trying. */
  untilOf(agent: string): number | null {
    const breaker = this.#breakers.get(agent);
    return breaker?.kind === "open" && !this.canStart(agent) ? breaker.until : null;
  }

  /** A call to it starts now. */
  begin(agent: string): void {
    const breaker = this.#breakers.get(agent);
    if (breaker !== undefined) this.#breakers.set(agent, { kind: "trying", times: breaker.times });
  }

  /** A call to it ended by itself, well or not, but not for its quota. */
  answered(agent: string): void {
    if (this.#breakers.get(agent)?.kind !== "trying") return;
    this.#breakers.delete(agent);
    this.#options.journal.writePause(agent, null);
    this.#tell();
  }

  /** The call that tried was called off: the next one may. */
  calledOff(agent: string): void {
    const breaker = this.#breakers.get(agent);
    if (breaker?.kind !== "trying") return;
    this.#breakers.set(agent, { ...breaker, kind: "open", until: this.#options.clock.now() });
    this.#tell();
  }

  /** Calls that were under way together meet the same quota: that is one time. */
  exhausted(agent: string, until: string | null): number {
    const { journal, clock, backoffMs } = this.#options;
    const before = this.#breakers.get(agent);
    const times = before?.kind === "open" ? before.times : (before?.times ?? 0) + 1;
    const decided = decidePause({ until, times }, clock.now(), backoffMs);
    const time = before?.kind === "open" ? Math.max(before.until, decided) : decided;
    journal.writePause(agent, { until: new Date(time).toISOString(), times });
    this.#open(agent, { kind: "open", until: time, times });
    this.#tell();
    return time;
  }

  #open(agent: string, breaker: Extract<Breaker, { kind: "open" }>): void {
    this.#breakers.set(agent, breaker);
    this.#timers.get(agent)?.();
    this.#timers.set(
      agent,
      this.#options.clock.at(breaker.until, () => this.#tell()),
    );
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Told whenever a call may start that could not before, or the other way round. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls off its timers. */
  close(): void {
    for (const cancel of this.#timers.values()) cancel();
  }
}
