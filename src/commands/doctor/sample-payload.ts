import { requireHookAgent } from "../../hooks/agents/roster.ts";
import { makePayload } from "../hooks/native-payload.ts";
import { makeToolCall } from "../hooks/tool-call.ts";

/** A tool call that harms nobody, as the agent would tell of it. */
export function makeSample(agent: string, cwd: string, time: Date): string {
  const payload = makePayload(requireHookAgent(agent), {
    ...{ step: "before_tool", session: "adj-doctor", cwd, time, prompt: "", output: "" },
    call: makeToolCall(agent, { command: "true" }, cwd),
  });
  if (payload === null) throw new TypeError(`${agent} has no event before a tool`);
  return JSON.stringify(payload);
}
