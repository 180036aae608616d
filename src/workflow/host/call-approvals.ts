// What a call may do unasked: what its stage says; else reading, and edits inside its own workspace. It is a row of the
// call's session while the call runs, so that whoever decides about a tool finds it.
import type { ApprovalMode } from "../../core/command/context.ts";
import type { StageRow } from "../../core/store/stage-row.ts";
import { escapeGlob } from "../../session/approvals/remembered-rule.ts";
import type { AgentCall } from "../engine/effect.ts";

type Approvals = Pick<StageRow, "mode" | "posture">;

/** Pure; `cwd` is where the call works, which may be a worktree of its own. */
export function decideCallApprovals(
  { effect: { stage }, mode }: Pick<AgentCall, "effect" | "mode">,
  cwd: string,
): Approvals {
  const chosen: ApprovalMode | null = stage?.mode ?? mode;
  const posture = stage?.posture ?? [];
  // Whoever says what may be done, or which mode counts, has said it all.
  if (chosen !== null || posture.length > 0) return { mode: chosen ?? "ask", posture };
  const rule = { kind: ["edit", "write"], path: `${escapeGlob(cwd)}/**` };
  return { mode: "ask", posture: [{ action: "allow", rule }] };
}

export function describeCallRow(
  call: Pick<AgentCall, "effect" | "mode" | "workflowRunId" | "number">,
  cwd: string,
): StageRow {
  const { stage, label } = call.effect;
  return {
    runId: call.workflowRunId,
    workflow: call.workflowRunId,
    stage: stage?.stage ?? label ?? `call ${call.number}`,
    isActing: true,
    ...decideCallApprovals(call, cwd),
    commands: stage?.commands ?? [],
    hide: stage?.hide ?? [],
  };
}
