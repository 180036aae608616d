// Where a stage leads, and whether the next one may still be entered. Pure.
import { type ExpressionScope, holds } from "../../definition/expression.ts";
import { END } from "../../definition/stage-schema.ts";
import type { Stage, Transition } from "../../definition/workflow.ts";

/** How a stage was left. */
export type StageEnding =
  | { readonly kind: "passed" }
  /** An answer that leads to a stage of its own. */
  | { readonly kind: "chosen"; readonly to: string }
  /** The gate, the act or a check did not hold, for this reason. */
  | { readonly kind: "refused"; readonly reason: string };

export type NextStep =
  | { readonly kind: "stage"; readonly to: string }
  | { readonly kind: "end" }
  /** Nothing says where to go. */
  | { readonly kind: "failed"; readonly reason: string };

export interface NextQuestion {
  readonly stage: Stage;
  readonly ending: StageEnding;
  readonly stages: Readonly<Record<string, Stage>>;
  /** How often each was entered so far. */
  readonly visits: ReadonlyMap<string, number>;
  readonly scope: ExpressionScope;
}

export function decideNext(question: NextQuestion): NextStep {
  const { stage, ending, scope } = question;
  if (ending.kind === "chosen") return enter(ending.to, question);
  const ahead = ending.kind === "passed" ? pickTarget(stage.next, scope) : null;
  if (ahead !== null) return enter(ahead, question);
  if (ending.kind === "passed" && stage.next.length === 0) return { kind: "end" };
  const reason =
    ending.kind === "refused"
      ? `stage \`${stage.name}\`: ${ending.reason}`
      : `no \`next\` of stage \`${stage.name}\` holds`;
  const other = pickTarget(stage.otherwise, scope);
  return other === null ? { kind: "failed", reason } : enter(other, question);
}

const pickTarget = (transitions: readonly Transition[], scope: ExpressionScope): string | null =>
  transitions.find(({ when }) => when === null || holds(when, scope))?.to ?? null;

/** A stage that was entered as often as it may leads to its `otherwise` instead. */
function enter(target: string, { stages, visits, scope }: NextQuestion): NextStep {
  const full = new Set<string>();
  for (let to = target; ; ) {
    if (to === END) return { kind: "end" };
    const stage = stages[to];
    if (stage === undefined) throw new TypeError(`a workflow was read with a lost stage ${to}`);
    if ((visits.get(to) ?? 0) < stage.visits) return { kind: "stage", to };
    full.add(to);
    const other = pickTarget(stage.otherwise, scope);
    if (other === null || full.has(other))
      return {
        kind: "failed",
        reason: `stage \`${to}\` was entered ${stage.visits === 1 ? "once" : `${stage.visits} times`}, as often as it may`,
      };
    to = other;
  }
}
