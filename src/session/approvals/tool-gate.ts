// The gate that every tool call of a turn goes through: the hooks once, then the approvals once, however often and by
// whichever way the call reaches us.

import { maskTexts } from "../../agents/log/json-fields.ts";
import { findAgent, findHookAgent } from "../../agents/roster.ts";
import type { ToolAnswer, ToolRequest } from "../../agents/run/conversation.ts";
import { stepAbility } from "../../agents/steps/hook-agent.ts";
import { settleTool } from "../../agents/steps/settle-decision.ts";
import {
  findTool,
  readCalls,
  type ToolTable,
  tableOfAnyTool,
} from "../../agents/steps/tool-table.ts";
import { ownProblem } from "../../core/command/fault.ts";
import { writeSorted } from "../../core/project/json-value.ts";
import type { Envelope } from "../../core/step/envelope.ts";
import { NO_DECISION, type StepDecision } from "../../core/step/verdict.ts";
import { createHookAnswerer } from "../../hooks/pipeline/answer.ts";
import type { StepReader } from "../../hooks/pipeline/decide-step.ts";
import { describeDecidedStep } from "../../hooks/pipeline/event.ts";
import {
  type ApprovedStep,
  type HookCall,
  type HookReply,
  type StepForApproval,
  TURN_HOOK_EVENT,
} from "../../hooks/pipeline/hook-call.ts";
import { type ApprovedCall, approveCall } from "./approve-call.ts";
import {
  approveStep,
  createKnownCalls,
  enterGate,
  type Gate,
  type GateTurn,
  keyOf,
  type ToolCallKey,
  type ToolGatePorts,
} from "./call-in-gate.ts";

export interface ToolGate {
  /** For what the agent asks about in its own protocol; it never rejects. */
  decide(request: ToolRequest, turn: GateTurn): Promise<ToolAnswer>;
  /** For what its hooks say, of this run or installed; it never rejects. */
  answerHook(call: HookCall, turn: GateTurn): Promise<HookReply>;
  endTurn(runId: string): void;
}

export function createToolGate(ports: ToolGatePorts): ToolGate {
  const gate: Gate = { ports, calls: createKnownCalls() };
  return {
    decide: async (request, turn) => {
      try {
        return await decideRequest(gate, request, turn);
      } catch (error) {
        return { kind: "deny", reason: `it could not be approved: ${ownProblem(error)}` };
      }
    },
    answerHook: (call, turn) => answerHook(gate, call, turn),
    endTurn: (runId) => gate.calls.endTurn(runId),
  };
}

// What the agent asks about in its own protocol.

async function decideRequest(
  gate: Gate,
  { callId, tool, args, signal }: ToolRequest,
  turn: GateTurn,
): Promise<ToolAnswer> {
  const { runId, agent } = turn;
  const key = { runId, agent, callId, tool, args };
  const reader = await readerOf(agent, tool);
  const envelope = requestEnvelope(reader.tools, key, turn);
  const entering = { key, channel: "in-band", turn, signal };
  const { isRepeat, approved } = enterGate(gate, entering, (shared) =>
    approveStep(gate, { envelope, reader, turn, signal: shared }),
  );
  const { decision, args: final } = await approved;
  const answered = { ...decision, args: final };
  const ability = stepAbility("in-band", "blocks", ["args"]);
  const settled = settleTool(answered, envelope, { ability, canAllow: true });
  if (!isRepeat) {
    const { sessionId } = turn;
    const { notes } = settled;
    const events = describeDecidedStep({ envelope, sessionId, decision, virtual: null, notes });
    gate.ports.record(maskTexts(events, turn.secrets));
  }
  if (settled.outcome === "deny") return { kind: "deny", reason: settled.reason ?? "refused" };
  return { kind: "allow", args: writeSorted(final) === writeSorted(args) ? null : final };
}

function requestEnvelope(table: ToolTable, key: ToolCallKey, turn: GateTurn): Envelope {
  const { callId, tool, args } = key;
  return {
    protocol: 1,
    step: "before_tool",
    agent: turn.agent,
    session_id: turn.conversation ?? turn.sessionId,
    cwd: turn.cwd,
    correlation_id: turn.correlationId,
    time: new Date().toISOString(),
    native: {
      ...(callId === null ? {} : { tool_use_id: callId }),
      tool_name: tool,
      tool_input: args,
    },
    tool,
    kind: findTool(table, tool).kind,
    args,
  };
}

interface ReadTools extends StepReader {
  readonly tools: ToolTable;
}

/** Of an agent without hooks its tools are read by their table, or by what such names mean with others. */
async function readerOf(agent: string, tool: string): Promise<ReadTools> {
  const hooks = await findHookAgent(agent);
  if (hooks !== null) return hooks;
  const tools = (await findAgent(agent)?.tools?.()) ?? tableOfAnyTool(tool);
  return { tools, ...readCalls(tools), abilities: { hookLimitMs: DEFAULT_LIMIT_MS } };
}

const DEFAULT_LIMIT_MS = 60_000;

// What its hooks say.

async function answerHook(gate: Gate, call: HookCall, turn: GateTurn): Promise<HookReply> {
  const { ports, calls } = gate;
  const answer = createHookAnswerer({
    ...ports.hooks,
    record: (_, events) => ports.record(maskTexts(events, turn.secrets)),
    approve: (step) => approveHookStep(gate, turn, step),
  });
  const { stateDir, configDir } = ports.paths;
  // Whose state and rules count is not the caller's to say.
  const env = {
    ...call.env,
    HOME: ports.home,
    ADJ_STATE_DIR: stateDir,
    ADJ_CONFIG_DIR: configDir,
    ADJ_SESSION_ID: turn.sessionId,
    ADJ_CORRELATION_ID: turn.correlationId,
  };
  const reply = await answer({ ...call, env });
  if (reply.envelope?.step === "after_tool") calls.forget(keyOf(reply.envelope, turn));
  return reply;
}

// A step of an agent's hook inside a turn, as far as the gate has a word in it: before a tool and before a permission.

async function approveHookStep(
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
  { sessionId, turnId, root, cwd: workspace, secrets }: GateTurn,
  { envelope, agent }: StepForApproval,
) {
  const { home } = ports;
  return { envelope, reader: agent, sessionId, turnId, root, workspace, home, secrets };
}

/** Whoever brought other arguments than those approved is told to take these. */
const forCaller = ({ decision, args }: ApprovedCall, envelope: Envelope): StepDecision =>
  decision.control === "veto" || decision.result !== null
    ? decision
    : { ...decision, args: isSame(args, envelope) ? null : args };

const isSame = (args: ApprovedCall["args"], envelope: Envelope): boolean =>
  writeSorted(args) === writeSorted(envelope.args ?? {});

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
