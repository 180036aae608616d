import type { TrialPlan } from "../trial.ts";
import type { TrialShop } from "./trial-shop.ts";
import type { Workspace } from "./workspace.ts";

/** Where one try happens, and with what. */
export interface TryPlace extends Workspace {
  readonly plan: TrialPlan;
  readonly shop: TrialShop;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The system's uptime when it began. */
  readonly since: number;
}
