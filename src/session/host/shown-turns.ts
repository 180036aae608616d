// What windows were shown of turns that run, so that one that opens in the middle sees their beginning. In memory only:
// it is not masked.
import type { LogEvent } from "../../agents/log/event.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import type { HostEvent } from "./session-host.ts";

type Progress = Extract<HostEvent, { kind: "progress" }>;

interface ShownTurn {
  turn: Turn;
  steps: Progress[];
  /** All of them, kept or not. */
  count: number;
}

/** Of a turn that floods, the newest are enough. */
const MAX_STEPS = 4_000;

export class ShownTurns {
  readonly #turns = new Map<string, ShownTurn>();

  note(turn: Turn): void {
    if (turn.endedAt !== null) this.#turns.delete(turn.id);
    else if (turn.runId !== null) this.#of(turn).turn = turn;
  }

  /** The next step of a turn, with its number. */
  add(turn: Turn, place: Pick<Progress, "runId" | "offset">, event: LogEvent): Progress {
    const { id: turnId, sessionId } = turn;
    const shown = this.#of(turn);
    shown.count += 1;
    const { count: step } = shown;
    const progress: Progress = { kind: "progress", sessionId, turnId, ...place, step, event };
    shown.steps.push(progress);
    if (shown.steps.length > 2 * MAX_STEPS) shown.steps = shown.steps.slice(-MAX_STEPS);
    return progress;
  }

  #of(turn: Turn): ShownTurn {
    const shown = this.#turns.get(turn.id) ?? { turn, steps: [], count: 0 };
    this.#turns.set(turn.id, shown);
    return shown;
  }

  /** Each turn, and behind it what was shown of it. */
  list(): HostEvent[] {
    return [...this.#turns.values()].flatMap(({ turn, steps }): HostEvent[] => [
      { kind: "turn", turn },
      ...steps,
    ]);
  }
}
