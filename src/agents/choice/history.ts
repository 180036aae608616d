// What the turns of a session hold that another agent would have to cope with.
import type { Program } from "../../core/commands/bundled.ts";
import { findLog, listRuns } from "../log/run-files.ts";
import type { History } from "./choice.ts";

/** A transcript that is handed over is bounded; what lies further back does not reach the next agent. */
const MAX_TURNS_READ = 50;

export function readHistory({ sessions, stateDir }: Program, sessionId: string): History {
  const { turns } = sessions();
  const runs = new Set(turns.list(sessionId, MAX_TURNS_READ).map(({ runId }) => runId));
  const logs = [...runs].flatMap((runId) =>
    runId === null ? [] : (findLog(stateDir, runId) ?? []),
  );
  return {
    turns: turns.count(sessionId),
    hasToolCalls: logs.some((log) => log.tool_calls.length > 0),
    hasImages: logs.some(({ messages }) =>
      messages.some(({ role, content }) => role === "user" && content.includes("[image]")),
    ),
  };
}

/** The names of tools that the agent's last run stated or used: in this session, else in any. */
export function readLastTools(program: Program, sessionId: string, agent: string): string[] {
  const turns = program.sessions().turns.list(sessionId, MAX_TURNS_READ).reverse();
  const ofTurns = turns.flatMap((turn) =>
    turn.agent === agent && turn.runId !== null ? [turn.runId] : [],
  );
  const runs = [...ofTurns, ...listRuns(program.stateDir).slice(0, MAX_TURNS_READ)];
  for (const runId of runs) {
    const log = findLog(program.stateDir, runId);
    if (log?.agent_info.name !== agent) continue;
    const named = [...(log.tools ?? []), ...log.tool_calls.map(({ name }) => name)];
    return [...new Set(named)];
  }
  return [];
}
