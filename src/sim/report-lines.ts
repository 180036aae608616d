import type { SimReport } from "./check-expectations.ts";
import type { RecordedRequest } from "./recorded-request.ts";

/** One line as a request comes in: `2 turn codex POST /v1/responses: turn 2`. */
export function describeRequest(recorded: RecordedRequest): string {
  const { number, kind, agent, method, path, answered, problem } = recorded;
  const who = agent === null ? "" : ` ${agent}`;
  const trouble = problem === null ? "" : ` (${problem})`;
  return `${number} ${kind}${who} ${method} ${path}: ${answered}${trouble}`;
}

/** The report for people, one line for each expectation and each problem. */
export function describeReport(report: SimReport): string[] {
  const checks = report.checks.map(({ line, holds, found }) =>
    holds ? `ok   ${line}` : `FAIL ${line}; found: ${found}`,
  );
  const problems = report.problems.map((problem) => `FAIL ${problem}`);
  const held = report.checks.filter(({ holds }) => holds).length;
  const summary = `${held} of ${report.checks.length} expectations hold, ${report.turnCount} turns in ${report.requestCount} requests`;
  return [...checks, ...problems, summary];
}
