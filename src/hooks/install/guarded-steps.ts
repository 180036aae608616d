import type { HookSet } from "../rule.ts";
import { STEP_RULES, type StepName } from "../step.ts";

/** Steps at which some rule in force blocks when it fails; there an agent that can fail closed is told to. */
export function listGuardedSteps({ rules, broken }: HookSet): ReadonlySet<StepName> {
  const steps = new Set<StepName>(broken.length > 0 ? ["before_tool"] : []);
  for (const rule of rules)
    for (const step of rule.on) {
      const { canVeto, onError } = STEP_RULES[step];
      const isBlocking = canVeto && (rule.onError ?? onError) === "block";
      if (rule.isEnabled && !rule.isAsync && isBlocking) steps.add(step);
    }
  return steps;
}
