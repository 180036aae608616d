// What a run is doing as a whole: it waits only while nothing of it moves.
import type { RunStatus } from "../journal/journal.ts";

/** Why something of a run stands still. */
export interface Standstill {
  readonly why: string;
  /** In milliseconds since 1970; null where nobody knows. */
  readonly until: number | null;
}

export interface ActivityView {
  readonly isPaused: boolean;
  /** Under way, those that stand still included. */
  readonly underWay: number;
  readonly standing: readonly Standstill[];
  /** Calls in the queue of an agent that is left alone. */
  readonly queued: readonly Standstill[];
}

export interface ActivityStatus {
  readonly status: Extract<RunStatus, "running" | "waiting" | "paused">;
  readonly reason: string | null;
  readonly waitingUntil: string | null;
}

export function decideActivity(view: ActivityView): ActivityStatus {
  const { isPaused, underWay, standing, queued } = view;
  if (isPaused) return { status: "paused", reason: "somebody paused it", waitingUntil: null };
  const all = [...standing, ...queued];
  if (underWay > standing.length || all.length === 0)
    return { status: "running", reason: null, waitingUntil: null };
  const times = all.flatMap(({ until }) => (until === null ? [] : [until]));
  const reasons = [...new Set(all.map(({ why }) => why))];
  return {
    status: "waiting",
    reason: reasons.length > 3 ? `${reasons.slice(0, 3).join("; ")}; …` : reasons.join("; "),
    waitingUntil: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
  };
}

/** Everything under way in an execution, and what stands still of it. */
export class RunActivity {
  readonly #underWay = new Set<object>();
  readonly #standing = new Map<object, Standstill>();
  readonly #tell: () => void;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  get standing(): Standstill[] {
    return [...this.#standing.values()];
  }

  begin(call: object): void {
    this.#underWay.add(call);
    this.#tell();
  }

  /** Null: it goes on. */
  stand(call: object, standstill: Standstill | null): void {
    if (standstill === null) this.#standing.delete(call);
    else this.#standing.set(call, standstill);
    this.#tell();
  }

  end(call: object): void {
    this.#underWay.delete(call);
    this.#standing.delete(call);
    this.#tell();
  }
}
