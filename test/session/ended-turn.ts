// Turns and their logs as a host leaves them, in the real store and the real folder of runs.

import { LogCollector } from "../../src/agents/log/collect-log.ts";
import { composeLog, describeEnvironment } from "../../src/agents/log/compose-log.ts";
import { initEvent } from "../../src/agents/log/event.ts";
import { makeRunFolder, saveLog } from "../../src/agents/log/run-files.ts";
import type { Turn } from "../../src/core/store/turn-row.ts";
import { adapterOf } from "../support/agents.ts";
import type { TestProgram } from "../support/program-of-commands.ts";

interface EndedTurnOptions {
  readonly agent?: string;
  readonly sessionId?: string;
  readonly content?: string;
  readonly hasToolCall?: boolean;
  /** As the agent states them at its start. */
  readonly tools?: readonly string[];
}

export const sessionIdOf = ({ root }: TestProgram): string => `project:${root}`;

const optionsOf = ({ root }: TestProgram) => ({
  ...{ cwd: root, root, agent: null, model: null, params: {}, via: null },
});

/** A turn that this process has under way. */
export function runningTurn(
  opened: TestProgram,
  { sessionId = sessionIdOf(opened), agent = "codex" } = {},
): Turn {
  const { turns } = opened.program.sessions();
  opened.program.sessions().ensure(sessionId, opened.root);
  const turn = turns.add(crypto.randomUUID(), sessionId, "a prompt", optionsOf(opened));
  turns.start(turn.id, { agent, model: null, runId: `run of ${turn.id}` });
  return turn;
}

export function endedTurn(opened: TestProgram, options: EndedTurnOptions = {}): Turn {
  const { agent = "codex", sessionId = sessionIdOf(opened), content = "hello" } = options;
  const { runId, logDir } = makeRunFolder(opened.stateDir);
  saveLog(logDir, logOf(runId, { ...options, agent, content }));
  const { turns } = opened.program.sessions();
  opened.program.sessions().ensure(sessionId, opened.root);
  const turn = turns.add(crypto.randomUUID(), sessionId, content, optionsOf(opened));
  turns.start(turn.id, { agent, model: null, runId });
  const conversation = `thread of ${agent}`;
  turns.end(turn.id, { status: "done", answer: "done so", conversation, problem: null });
  turns.writeConversation(sessionId, agent, {
    conversation,
    cwd: opened.root,
    number: turn.number,
  });
  return turn;
}

function logOf(
  runId: string,
  { agent, content, hasToolCall, tools }: EndedTurnOptions & { agent: string; content: string },
) {
  const adapter = adapterOf(agent);
  const at = new Date().toISOString();
  const collector = new LogCollector({ ...adapter, now: () => at });
  collector.add(initEvent(tools === undefined ? {} : { tools }));
  if (hasToolCall)
    collector.add({ kind: "tool_call", id: "1", name: "mcp__files__list", arguments: {}, at });
  return composeLog(collector.collect(), {
    agent: adapter,
    runId,
    execution: {
      started_at: at,
      completed_at: at,
      duration_ms: 0,
      exit_code: 0,
      status: "success",
      timed_out: false,
    },
    errors: [],
    command: null,
    environment: describeEnvironment("/"),
    configured: { model: null, prompt: content, parameters: {}, agentVersion: null },
  });
}
