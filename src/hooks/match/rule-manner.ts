// What a rule can do to a step, which decides how its `command` globs are read. Apart from the rule itself, since
// what only notes may be read as it is typed.
import type { HookRule } from "./rule.ts";

/**
 * `restricts`: it may veto, ask or change, so what cannot be read counts as meant. `loosens`: it only allows, so it is
 * for lines that can be read whole. `notes`: nothing depends on it.
 */
export type RuleManner = "restricts" | "loosens" | "notes";

export function ruleManner({ run, isAsync }: Pick<HookRule, "run" | "isAsync">): RuleManner {
  if (run.type === "builtin" && run.builtin === "allow") return "loosens";
  const isNote = run.type === "builtin" && run.builtin === "audit";
  return isNote || isAsync ? "notes" : "restricts";
}
