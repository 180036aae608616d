// The entry of a cold hook call: `adj hook AGENT`.
import { answerColdCall } from "./hooks/resident/cold-call.ts";
import { ownProgram } from "./own-program.ts";

export const runHook = (
  agent: string,
  event: string | undefined,
  limit: string | undefined,
): Promise<void> => answerColdCall(agent, { event, limit }, ownProgram);
