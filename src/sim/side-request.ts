// What an agent asks on its own account (titles, routing, sub-agents) must not use up a turn.
import type { Conversation } from "./decide-answer.ts";
import { type ModelRequest, readOpening } from "./model-request.ts";

/** The instructions of a real conversation are longer even when no tools are offered. */
const SHORT_SYSTEM = 4_000;

export function isSideRequest(request: ModelRequest, current: Conversation | null): boolean {
  if (request.agent === null) return false;
  if (request.tools.length > 0) return isSubAgent(request, current);
  return request.answerSchema !== null || request.system.length < SHORT_SYSTEM;
}

/** Another agent speaks while the first one waits for its tools. */
function isSubAgent(request: ModelRequest, current: Conversation | null): boolean {
  // Claude Code 2.1.325 says so; its sub-agents also work on after the first one is done.
  if (request.system.includes("cc_is_subagent=true")) return true;
  if (current === null || !current.awaitsTools) return false;
  return request.system !== current.system && readOpening(request) !== current.opening;
}
