// What an agent of a turn is told where nobody can be asked: inside a turn no tool runs that nobody approved.
import { findAgent } from "../../agents/roster.ts";
import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { NO_DECISION } from "../../core/step/verdict.ts";
import type { HookCall } from "./hook-call.ts";
import { readFaultyStep } from "./own-fault.ts";

interface TurnFault {
  readonly call: Pick<HookCall, "env" | "cwd">;
  readonly agent: HookAgent;
  /** Null where it cannot be read. */
  readonly payload: NativePayload | null;
  readonly problem: string;
}

const TOOL_STEPS: ReadonlySet<StepName> = new Set(["before_tool", "before_permission"]);

/** A tool's refusal in the agent's own words; at every other step its silence. */
export async function refuseInTurn({ call, agent, payload, problem }: TurnFault): Promise<string> {
  const reason = `${problem}; nobody could be asked whether it may run, so it did not`;
  if (payload === null) return refuseAnyTool(agent, reason);
  const envelope = readFaultyStep(agent, payload, call);
  const isTool = envelope !== null && TOOL_STEPS.has(envelope.step);
  return isTool ? refuseTool(agent, envelope, reason) : agent.silence(payload);
}

const refuseTool = (agent: HookAgent, envelope: Envelope, reason: string): string =>
  agent.writeAnswer({ ...NO_DECISION, control: "veto", permission: "deny", reason }, envelope)
    .stdout;

/** Without its payload the call is taken for a tool's. */
async function refuseAnyTool(agent: HookAgent, reason: string): Promise<string> {
  const installer = await findAgent(agent.name)?.install?.();
  if (installer === undefined) return agent.silence({});
  const { writeRefusals } = await import("./write-marker.ts");
  const refusals = await writeRefusals(installer, reason);
  return refusals.find(({ step }) => step === "before_tool")?.answer ?? agent.silence({});
}
