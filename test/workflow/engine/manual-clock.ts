import type { Clock } from "../../../src/workflow/engine/clock.ts";

/** A clock that moves when the test says so. */
export class ManualClock implements Clock {
  #now = Date.parse("2026-11-17T12:00:00Z");
  readonly #timers = new Set<{ readonly time: number; readonly act: () => void }>();

  now(): number {
    return this.#now;
  }

  at(time: number, act: () => void): () => void {
    const timer = { time, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers])
      if (timer.time <= this.#now && this.#timers.delete(timer)) timer.act();
  }
}
