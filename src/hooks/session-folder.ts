import { join } from "node:path";
import { pathName } from "../config/path-name.ts";

export interface AgentSession {
  readonly stateDir: string;
  readonly agent: string;
  /** As the agent says it; whatever it is, it names one folder and none outside. */
  readonly sessionId: string;
}

/** Where the hooks keep what they know of one session of an agent. */
export const sessionFolder = ({ stateDir, agent, sessionId }: AgentSession): string =>
  join(stateDir, "hook-sessions", pathName(`${agent}/${sessionId}`.toWellFormed()));
