// What a call must pass before it starts: its turn, the agent's breaker, the budget.
import type { CallUsage } from "../journal/journal.ts";
import { type BudgetedCall, NO_USAGE } from "./budget.ts";
import type { RunExecution } from "./execution.ts";

export interface AdmissionRequest {
  /** Null where no agent does it: then only the calls at once and the time count. */
  readonly call: BudgetedCall | null;
  readonly isFirst: boolean;
  readonly signal: AbortSignal | null;
}

/** What the agent's breaker learns from the end of a call. */
type Lesson =
  | { readonly kind: "answered" }
  | { readonly kind: "called-off" }
  | { readonly kind: "quota"; readonly until: string | null };

export interface Admission {
  /** Gives the slot back; the breaker and the budget learn first, so that what starts next knows. */
  settle(lesson: Lesson, usage: CallUsage): void;
}

/** Null where it was called off, or the execution has ended. */
export async function admitCall(
  execution: RunExecution,
  { call, isFirst, signal }: AdmissionRequest,
): Promise<Admission | null> {
  const agent = call?.agent ?? "";
  let reserved: ((usage: CallUsage) => void) | null = null;
  const tryStart = () => {
    if (call !== null && !execution.breakers.canStart(agent)) return false;
    if (!isAffordable(execution, call)) return false;
    if (call === null) return true;
    execution.breakers.begin(agent);
    reserved = execution.spending.reserve(call);
    return true;
  };
  const granted = execution.slots.acquire({ agent, isFirst, signal, tryStart });
  execution.tellActivity();
  if (!(await granted)) return null;
  return {
    settle(lesson, usage = NO_USAGE) {
      if (call !== null) teach(execution, agent, lesson);
      reserved?.(usage);
      execution.slots.release();
    },
  };
}

/** A budget that is reached ends the execution; what is under way goes on, as it is paid for. */
function isAffordable(execution: RunExecution, call: BudgetedCall | null): boolean {
  const decision = execution.spending.decide(call);
  if (decision.kind === "reached")
    execution.finish({ kind: "stopped", reason: decision.reason }, { cancel: false });
  return decision.kind === "start";
}

function teach({ breakers }: RunExecution, agent: string, lesson: Lesson): void {
  if (lesson.kind === "quota") breakers.exhausted(agent, lesson.until);
  else if (lesson.kind === "answered") breakers.answered(agent);
  else breakers.calledOff(agent);
}
