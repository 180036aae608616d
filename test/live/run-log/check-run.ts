// Whether a run ended as it must and its log says all that it must.
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { RUN_LOG } from "../../../src/agents/log/run-log.ts";
import { normalizeOutput } from "../../../src/agents/run/output/read.ts";
import { adapterOf } from "../../support/agents.ts";
import { type LabCli, pinnedVersion } from "../lab.ts";
import type { AgentDrive } from "./drive-agent.ts";
import type { AgentExpectation, Row } from "./expectation.ts";
import { expectCost, expectEntries, expectUsage } from "./expected-log.ts";
import type { RunScenario } from "./scenarios.ts";

export function checkEnding(agent: AgentExpectation, row: Row, { log, result }: AgentDrive): void {
  const [, status, ended, reasons] = row;
  const { execution } = log;
  const prefix = adapterOf(agent.agent).codePrefix;
  expect({ status: execution.status, ended: execution.exit_code ?? execution.signal }).toEqual({
    status,
    ended,
  });
  expect(execution.signal === undefined).toBe(execution.exit_code !== null);
  expect(execution.timed_out).toBe(status === "timeout");
  expect(log.errors.map(({ code }) => code)).toEqual(
    reasons.map((reason) => `${prefix}_${reason}`),
  );
  expect(result.execution).toEqual(execution);
  const elapsed = Date.parse(execution.completed_at) - Date.parse(execution.started_at);
  expect(elapsed).toBeGreaterThanOrEqual(0);
  // Two clocks, which a busy machine does not let be read at the same moment.
  expect(Math.abs(elapsed - execution.duration_ms)).toBeLessThanOrEqual(1_000);
}

/** SIGTERM comes with the limit, the end five seconds later at most, and on a busy machine when it is seen. */
export function checkTimeout(timeoutMs: number, { log }: AgentDrive): void {
  // A timer may be a millisecond early.
  expect(log.execution.duration_ms).toBeGreaterThan(timeoutMs - 10);
  expect(log.execution.duration_ms).toBeLessThanOrEqual(timeoutMs + 30_000);
}

export function checkContent(
  agent: AgentExpectation,
  { row, scenario }: { readonly row: Row; readonly scenario: RunScenario },
  { log, runId, workspace, report, requests }: AgentDrive,
): void {
  const [, , , , usage, cost, turns, stopReason, session] = row;
  const { calls, messages, files } = expectEntries(agent, scenario, workspace);
  expect(RUN_LOG.safeParse(log).error).toBeUndefined();
  expect(log.run_id).toBe(runId);
  expect(log.agent_info).toMatchObject({ name: agent.agent, version: pinnedVersion(agent.agent) });
  expect(log.model_info).toEqual({ ...agent.model, parameters: {} });
  expect(log.messages.map(({ role, content }) => ({ role, content }))).toEqual(messages);
  expect(log.tool_calls).toEqual(calls);
  expect(log.files_changed).toEqual(files);
  expect(log.usage).toEqual(expectUsage(agent, scenario, usage));
  expect(log.cost).toEqual(expectCost(cost));
  expect(log.turns).toBe(turns);
  expect([stopReason].flat()).toContain(log.stop_reason);
  checkSession(agent, session, log.session);
  expect(log.environment.working_directory).toBe(workspace);
  expect(report).toMatchObject({ holds: true });
  expect(requests.find(({ kind }) => kind === "turn")?.agent).toBe(agent.agent);
}

function checkSession(
  { sessionId }: AgentExpectation,
  expected: Row[8],
  session: AgentDrive["log"]["session"],
): void {
  if (expected !== "maybe") expect(session.id !== null).toBe(expected === "told");
  if (session.id !== null) expect(session.id).toMatch(sessionId);
  expect(session.resumable).toBe(session.id !== null);
}

export function checkNothingLeft({ leftProcesses, leftFiles }: AgentDrive): void {
  expect({ leftProcesses, leftFiles }).toEqual({ leftProcesses: [], leftFiles: [] });
}

/** What was saved of the run gives the same log once more. */
export function checkNormalized({ agent }: LabCli, { log, result, workspace }: AgentDrive): void {
  const [stdout, stderr] = [result.stdoutPath, result.stderrPath].map((path) =>
    readFileSync(path ?? ""),
  );
  const { exit_code, signal } = log.execution;
  const again = normalizeOutput(adapterOf(agent), stdout ?? Buffer.alloc(0), {
    stderr: stderr ?? "",
    exitCode: exit_code,
    signal: signal ?? null,
    format: "structured",
    workingDirectory: workspace,
  });
  const withoutPrompt = ({ messages }: typeof log) =>
    messages.filter(({ role }) => role !== "user");
  expect(withoutPrompt(again)).toEqual(withoutPrompt(log));
  for (const part of ["tool_calls", "files_changed", "turns", "stop_reason", "session"] as const)
    expect(again[part]).toEqual(log[part]);
}
