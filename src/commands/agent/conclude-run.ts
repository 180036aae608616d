import { answerText } from "../../agents/answer-text.ts";
import type { RunLog } from "../../agents/run-log.ts";
import { fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";

/** A run that did not succeed never ends with 0, whatever its program said. */
export function decideRunExit({ status, exit_code: exitCode }: RunLog["execution"]): number {
  if (status === "timeout") return 124;
  if (status === "cancelled") return 130;
  return exitCode === null || exitCode === 0 ? 1 : exitCode;
}

/** The answer, or the first thing that went wrong; either way with what is known of the run. */
export function concludeRun(
  log: RunLog,
  logPath: string,
  facts: Readonly<Record<string, unknown>> = { log },
): CommandResult {
  const { name: agent } = log.agent_info;
  const metadata = { agent, model: log.model_info.name, runId: log.run_id, logPath, ...facts };
  const output = answerText(log);
  if (log.execution.status === "success") return ok(output, metadata);
  const [first] = log.errors;
  throw fault(
    "AgentRunFailed",
    { agent, problem: first?.message ?? `it ended as ${log.execution.status}` },
    {
      exitCode: decideRunExit(log.execution),
      partial: { output, metadata },
      hint: `see \`adj agent log ${log.run_id}\``,
      ...(first === undefined ? {} : { reportedCode: first.code }),
    },
  );
}
