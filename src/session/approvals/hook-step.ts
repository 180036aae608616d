// A step of an agent's hook inside a turn, as far as the gate has a word in it: before a tool and before a permission.
import type { Envelope } from "../../core/step/envelope.ts";
import { NO_DECISION, type StepDecision } from "../../core/step/verdict.ts";
import {
  type ApprovedStep,
  type StepForApproval,
  TURN_HOOK_EVENT,
} from "../../hooks/pipeline/hook-call.ts";
import { type ApprovedCall, approveCall } from "./approve-call.ts";
import { approveStep, enterGate, type Gate, type GateTurn, keyOf } from "./call-in-gate.ts";
import { canonical } from "./known-calls.ts";

export async function approveHookStep(
  gate: Gate,
  turn: GateTurn,
  step: StepForApproval,
): Promise<ApprovedStep> {
  const { envelope, call } = step;
  // The hook of this run and an installed one may both tell of a call.
  const channel = `${envelope.step} ${call.event === TURN_HOOK_EVENT ? "of the run" : "installed"}`;
  const entering = { key: keyOf(envelope, turn), channel, turn, signal: call.signal };
  if (envelope.step === "before_permission") return approvePermission(gate, step, entering);
  const { isRepeat, approved } = enterGate(gate, entering, (signal) =>
    approveCall(gate.ports, { ...placeOf(gate, turn, step), signal, decide: step.decide }),
  );
  return { decision: forCaller(await approved, envelope), isRepeat };
}

function placeOf(
  { ports }: Gate,
  { sessionId, turnId, root, cwd: workspace }: GateTurn,
  { envelope, agent }: StepForApproval,
) {
  return { envelope, reader: agent, sessionId, turnId, root, workspace, home: ports.home };
}

/** Whoever brought other arguments than those approved is told to take these. */
const forCaller = ({ decision, args }: ApprovedCall, envelope: Envelope): StepDecision =>
  decision.control === "veto" || decision.result !== null
    ? decision
    : { ...decision, args: isSame(args, envelope) ? null : args };

const isSame = (args: ApprovedCall["args"], envelope: Envelope): boolean =>
  canonical(args) === canonical(envelope.args ?? {});

/** The step has handlers of its own; whether the tool may run is decided as before a tool. */
async function approvePermission(
  gate: Gate,
  step: StepForApproval,
  entering: Parameters<typeof enterGate>[1],
): Promise<ApprovedStep> {
  const { envelope, agent } = step;
  const { turn } = entering;
  const own = await step.decide();
  if (own.control === "veto" || own.permission === "deny")
    return { decision: own, isRepeat: false };
  const asTool: Envelope = { ...envelope, step: "before_tool" };
  const { approved } = enterGate(gate, entering, (signal) =>
    approveStep(gate, { envelope: asTool, reader: agent, turn, signal }),
  );
  const before = await approved;
  const isToAsk = own.permission === "ask" && !before.isAsked && before.decision.control !== "veto";
  const decide = async () => ({ ...NO_DECISION, permission: "ask", reason: own.reason }) as const;
  const { signal } = entering;
  const { decision, args } = isToAsk
    ? await approveCall(gate.ports, { ...placeOf(gate, turn, step), signal, decide })
    : before;
  const isAllowed = decision.control !== "veto" && decision.result === null;
  if (isAllowed && isSame(args, envelope))
    return { decision: { ...own, permission: "allow" }, isRepeat: false };
  const reason = isAllowed
    ? `not as it was; call it with these arguments instead: ${JSON.stringify(args)}`
    : (decision.reason ?? decision.result?.output ?? "refused");
  const veto = { ...own, control: "veto", permission: "deny", reason } as const;
  return { decision: { ...veto, decidedBy: decision.decidedBy }, isRepeat: false };
}
