// The gate that every tool call of a turn goes through: the hooks once, then the approvals once, however often and by
// whichever way the call reaches us.
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
import type { Envelope } from "../../core/step/envelope.ts";
import { createHookAnswerer } from "../../hooks/pipeline/answer.ts";
import type { StepReader } from "../../hooks/pipeline/decide-step.ts";
import { describeDecidedStep } from "../../hooks/pipeline/event.ts";
import type { HookCall, HookReply } from "../../hooks/pipeline/hook-call.ts";
import {
  approveStep,
  enterGate,
  type Gate,
  type GateTurn,
  keyOf,
  type ToolGatePorts,
} from "./call-in-gate.ts";
import { approveHookStep } from "./hook-step.ts";
import { canonical, createKnownCalls, type ToolCallKey } from "./known-calls.ts";

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
    gate.ports.record(describeDecidedStep({ envelope, sessionId, decision, virtual: null, notes }));
  }
  if (settled.outcome === "deny") return { kind: "deny", reason: settled.reason ?? "refused" };
  return { kind: "allow", args: canonical(final) === canonical(args) ? null : final };
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
    record: (_, events) => ports.record(events),
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
