import type { UsageEvent } from "./log-event.ts";
import { addUsage, UNKNOWN_USAGE, type UsageFigures } from "./usage.ts";

/** Totals replace what was known; steps are added up. */
export class UsageTally {
  figures: UsageFigures = UNKNOWN_USAGE;
  costUsd: number | null = null;
  #hasSteps = false;

  add({ figures, costUsd, scope }: UsageEvent): void {
    if (scope === "run" || !this.#hasSteps) {
      this.figures = figures;
      this.costUsd = costUsd ?? this.costUsd;
    } else {
      this.figures = addUsage(this.figures, figures);
      this.costUsd = addCosts(this.costUsd, costUsd);
    }
    this.#hasSteps = scope === "step";
  }
}

/** Binary fractions of a cent add up to noise: 0.1 + 0.2 is kept as 0.3. */
function addCosts(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  return Number((left + right).toPrecision(12));
}
