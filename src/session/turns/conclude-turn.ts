// What a turn that has ended means for the one who sent it.
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Turn } from "../../core/store/turn-row.ts";

/** Throws where it did not come to an answer. */
export function concludeTurn(turn: Turn): CommandResult {
  const { id, number, agent, model, runId, conversation, answer, problem, status } = turn;
  const metadata = { turn: id, number, status, agent, model, runId, conversation };
  if (status === "done") return ok(answer ?? "", metadata);
  const hint = runId === null ? {} : { hint: `see \`adj agent log ${runId}\`` };
  if (status === "cancelled") throw fault("TurnCancelled", { number });
  throw fault(
    "AgentRunFailed",
    { agent: agent ?? "the agent", problem: problem?.message ?? "the turn failed" },
    {
      partial: { output: answer ?? "", metadata },
      ...hint,
      ...(problem === null ? {} : { reportedCode: problem.code }),
    },
  );
}
