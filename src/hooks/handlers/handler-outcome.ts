import type { Verdict } from "../verdict.ts";

/** How one handler ended. What an error means is the pipeline's business. */
export type HandlerOutcome =
  | { readonly kind: "verdict"; readonly verdict: Verdict; readonly stderr: string | null }
  /** No intervention; the diagnostic says why something it printed was not taken for a verdict. */
  | { readonly kind: "none"; readonly diagnostic: string | null; readonly stderr: string | null }
  | { readonly kind: "error"; readonly problem: string }
  | { readonly kind: "cancelled" };
