import type { ProcessEnding } from "../../process/process-ending.ts";
import type { RunEnding } from "../decide-ending.ts";
import { describeRunEnding } from "../execution.ts";

/** Why an agent has to go: it is done, or somebody or the clock wants it to. */
export type DepartureCause = "done" | "cancelled" | "timed_out";

/** An agent on its way out: it may leave by itself for a while, then it is ended. */
export class Departure {
  readonly #end = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #cause: DepartureCause | null = null;

  /** The first cause counts, and the shortest time. */
  begin(cause: DepartureCause, patienceMs: number): void {
    this.#cause ??= cause;
    if (patienceMs === 0) this.#end.abort();
    else this.#timers.push(setTimeout(() => this.#end.abort(), patienceMs));
  }

  /** Fires when it is to be ended. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get cause(): DepartureCause | null {
    return this.#cause;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

/** How a run ended whose process we may have ended ourselves. */
export function decideDeparture(cause: DepartureCause | null, ended: ProcessEnding): RunEnding {
  const seen = describeRunEnding(ended);
  if (cause === null || seen.kind === "not_started") return seen;
  if (cause !== "done") return { ...seen, kind: cause };
  // Which signal it took says nothing about the run: some agents never leave by themselves.
  return ended.kind === "cancelled" ? DISMISSED : seen;
}

const DISMISSED: RunEnding = { kind: "dismissed", exitCode: null, signal: null };
