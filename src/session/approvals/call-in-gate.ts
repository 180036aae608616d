// A call inside the gate: known by run, id and arguments, decided once for all who wait for it.

import { asName } from "../../agents/log/json-fields.ts";
import { untilAborted } from "../../core/command/cancellation.ts";
import { writeSorted } from "../../core/project/json-value.ts";
import type { ExactValues } from "../../core/secrets/mask.ts";
import type { Envelope, ToolArguments } from "../../core/step/envelope.ts";
import type { StepReader } from "../../hooks/pipeline/decide-step.ts";
import type { HookParts } from "../../hooks/pipeline/hook-call.ts";
import { type ApprovalPorts, type ApprovedCall, approveCall } from "./approve-call.ts";
import { askHandlers, type HandlerPorts } from "./ask-handlers.ts";

/** A turn as its tools see it. */
export interface GateTurn {
  /** The run of the agent's process, which may stay over many turns. */
  readonly runId: string;
  readonly turnId: string;
  readonly sessionId: string;
  readonly agent: string;
  /** The agent's own id of the conversation, as far as it is known. */
  readonly conversation: string | null;
  readonly root: string;
  readonly cwd: string;
  /** What the agent was started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values that no record of it may hold. */
  readonly secrets: ExactValues;
  readonly correlationId: string;
  /** Ends every question of the turn. */
  readonly signal: AbortSignal;
}

export interface ToolGatePorts extends ApprovalPorts, HandlerPorts {
  /** How hooks are answered everywhere else. */
  readonly hooks: HookParts;
}

/** A call that is being decided, for all who wait for it. */
interface CallInGate {
  readonly decided: Promise<ApprovedCall>;
  /** The deciding ends when nobody waits any more. */
  join(signal: AbortSignal): void;
}

export interface Gate {
  readonly ports: ToolGatePorts;
  readonly calls: KnownCalls<CallInGate>;
}

/** One that came by this way before waits for what is decided of it; a new one is decided. */
export function enterGate(
  { calls }: Gate,
  { key, channel, turn, signal }: Entering,
  decide: (signal: AbortSignal) => Promise<ApprovedCall>,
): { readonly isRepeat: boolean; readonly approved: Promise<ApprovedCall> } {
  const known = calls.find(key, channel);
  if (known !== null) {
    known.join(signal);
    return { isRepeat: true, approved: untilAborted(known.decided, signal) };
  }
  const waiting = createSharedSignal(turn.signal);
  waiting.join(signal);
  const decided = decide(waiting.signal);
  calls.add(key, channel, { decided, join: waiting.join });
  return { isRepeat: false, approved: decided };
}

interface Entering {
  readonly key: ToolCallKey;
  readonly channel: string;
  readonly turn: GateTurn;
  readonly signal: AbortSignal;
}

/** Fires with the turn's, or when all that joined have fired. */
function createSharedSignal(turn: AbortSignal) {
  const nobody = new AbortController();
  let waiting = 0;
  return {
    signal: AbortSignal.any([turn, nobody.signal]),
    join: (signal: AbortSignal): void => {
      if (signal.aborted) return;
      waiting += 1;
      const leave = () => {
        waiting -= 1;
        if (waiting === 0) nobody.abort();
      };
      signal.addEventListener("abort", leave, { once: true });
    },
  };
}

interface StepToApprove {
  readonly envelope: Envelope;
  readonly reader: StepReader;
  readonly turn: GateTurn;
  readonly signal: AbortSignal;
}

/** The handlers of `before_tool`, then the approvals. */
export const approveStep = (gate: Gate, step: StepToApprove): Promise<ApprovedCall> => {
  const { envelope, reader, turn, signal } = step;
  const { sessionId, turnId, root, cwd: workspace, env, secrets } = turn;
  const { home } = gate.ports;
  const call = { envelope, reader, sessionId, turnId, root, workspace, home, secrets, signal };
  return approveCall(gate.ports, {
    ...call,
    decide: () => askHandlers(gate.ports, { envelope, reader, root, env, sessionId, signal }),
  });
};

/** Agents have one of these names for the id of a call. Qwen 0.24.4 has two, of which the second is one of the hook's. */
const CALL_IDS = ["tool_call_id", "tool_use_id", "toolCallId", "call_id", "callID"];

export function keyOf(
  { agent, native, tool = "", args = {} }: Envelope,
  { runId }: Pick<GateTurn, "runId">,
): ToolCallKey {
  const ids = CALL_IDS.map((name) => asName(native[name])).filter((id) => id !== null);
  return { runId, agent, callId: ids[0] ?? null, tool, args };
}

// A tool call may reach us more than once: by the agent's own question, by its hook before a tool and before a
// permission, by the hook of this run and by an installed one. It is one call, decided once.

export interface ToolCallKey {
  readonly runId: string;
  readonly agent: string;
  /** The agent's id of the call; null where it gives none. */
  readonly callId: string | null;
  readonly tool: string;
  readonly args: ToolArguments;
}

/** Something that is being decided about a call, and ends with the arguments that may run. */
interface Deciding {
  readonly decided: Promise<{ readonly args: ToolArguments }>;
}

interface KnownCall<Work> {
  readonly key: ToolCallKey;
  readonly seen: Set<string>;
  readonly work: Work;
  /** The arguments that were approved; the original ones until that is known. */
  approved: string;
}

interface KnownCalls<Work extends Deciding> {
  /** What is decided of this call, which came another way before; null where it is a new one. */
  find(key: ToolCallKey, channel: string): Work | null;
  /** A call comes at most once by each channel; the next one like it is another. */
  add(key: ToolCallKey, channel: string, work: Work): void;
  /** The call has run, or never will. */
  forget(key: ToolCallKey): void;
  /** The turn of the run is over. */
  endTurn(runId: string): void;
}

/** Calls that nobody said the end of are dropped, the oldest first. */
const MAX_CALLS = 500;

export function createKnownCalls<Work extends Deciding>(): KnownCalls<Work> {
  let calls: KnownCall<Work>[] = [];
  return {
    find: (key, channel) => {
      // The newest comes first: an older one like it was answered and has run.
      const found = calls.findLast((call) => !call.seen.has(channel) && isSameCall(call, key));
      found?.seen.add(channel);
      return found?.work ?? null;
    },
    add: (key, channel, work) => {
      const call = { key, seen: new Set([channel]), work, approved: writeSorted(key.args) };
      calls = [...calls, call].slice(-MAX_CALLS);
      work.decided.then(
        ({ args }) => {
          call.approved = writeSorted(args);
        },
        // Who waits for it is told.
        () => undefined,
      );
    },
    forget: (key) => {
      const at = calls.findIndex((call) => isSameCall(call, key));
      if (at >= 0) calls = calls.toSpliced(at, 1);
    },
    endTurn: (runId) => {
      calls = calls.filter((call) => call.key.runId !== runId);
    },
  };
}

/** Arguments that are neither what was asked about nor what was approved make another call of it. */
function isSameCall<Work>({ key: known, approved }: KnownCall<Work>, key: ToolCallKey): boolean {
  if (known.runId !== key.runId || known.agent !== key.agent || known.tool !== key.tool)
    return false;
  if (known.callId !== null && key.callId !== null && known.callId !== key.callId) return false;
  const args = writeSorted(key.args);
  return args === approved || args === writeSorted(known.args);
}
