import type { AgentAdapter, AgentExecutionResult } from "./adapter.ts";
import { LogCollector } from "./collect-log.ts";
import { freezeDeep } from "./freeze.ts";
import type { Refusal } from "./prepare-run.ts";

/** A run that never started, as a result with all its fields. */
export function refuseRun(
  adapter: Pick<AgentAdapter, "codePrefix">,
  errors: readonly Refusal[],
): AgentExecutionResult {
  const at = new Date().toISOString();
  const collector = new LogCollector({ codePrefix: adapter.codePrefix, now: () => at });
  for (const { reason, message, path } of errors)
    collector.addError({ reason, message, at, context: path === null ? null : { path } });
  const collected = collector.collect();
  return freezeDeep({
    execution: {
      started_at: at,
      completed_at: at,
      duration_ms: 0,
      exit_code: null,
      status: "failed",
      timed_out: false,
    },
    stdoutPath: null,
    stderrPath: null,
    output: "",
    truncated: false,
    errors: collected.errors,
    collected,
  });
}
