// One turn from its start to its end: resolve, open or take up the conversation, send, record, end. Every ending is a
// row; nothing here rejects but for a bug.
import type { LogEvent } from "../../agents/log/event.ts";
import { makeRunFolder } from "../../agents/log/run-files.ts";
import { answerText, type RunLog } from "../../agents/log/run-log.ts";
import type { StepHook, ToolAnswer, ToolRequest } from "../../agents/run/conversation.ts";
import type { JsonValue } from "../../core/command/context.ts";
import type { EventType } from "../../core/command/event.ts";
import { Fault, reportFault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { maskSecrets, secretValues } from "../../core/secrets/mask.ts";
import type { StateStore } from "../../core/store/stores.ts";
import type { Turn, TurnProblem } from "../../core/store/turn-row.ts";
import type { GateTurn } from "../approvals/call-in-gate.ts";
import { resolveTurn } from "./resolve-turn.ts";
import { sendPrompt } from "./send-prompt.ts";
import type { Threads } from "./threads.ts";

export interface TurnPorts {
  readonly program: Program;
  readonly store: StateStore;
  readonly threads: Threads;
  /** All processes that the host starts carry this in front of their own run ids. */
  readonly hostRunId: string;
  /** How hooks of an agent in a turn reach the host; null where it listens for none. */
  stepHook(agent: string): StepHook | null;
  /** From here on hooks of the agent are answered for this turn; the answer ends that. */
  enter(turn: GateTurn): () => void;
  decideTool(request: ToolRequest, turn: GateTurn): Promise<ToolAnswer>;
  publish(type: EventType, turn: Turn, data: Readonly<Record<string, JsonValue>>): void;
  /** Something of its row is new. */
  showTurn(turnId: string): void;
  showProgress(turn: Turn, runId: string, offset: number, event: LogEvent): void;
  showNotice(turn: Turn, text: string): void;
}

export interface TurnInput {
  /** As it was typed; the row has it masked. */
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export async function runTurn(turn: Turn, input: TurnInput, ports: TurnPorts): Promise<void> {
  try {
    await resolveAndRun(turn, input, ports);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { class: faultClass, code, message, hint } = reportFault(error);
    const text = hint === undefined ? message : `${message}; ${hint}`;
    endTurn(turn, { class: faultClass, code, message: text }, ports);
  }
}

async function resolveAndRun(turn: Turn, input: TurnInput, ports: TurnPorts): Promise<void> {
  const { program, store } = ports;
  const state = store.read(turn.sessionId);
  const tell = (text: string) => ports.showNotice(turn, text);
  const resolved = await resolveTurn({ ...input, wishes: turn.wishes, state, program, tell });
  const { adapter, model } = resolved;
  const folder = makeRunFolder(program.stateDir);
  const start = { agent: adapter.name, model, runId: folder.runId };
  // Cancelled while it was looked up.
  if (!store.turns.start(turn.id, start)) return;
  const running = store.turns.read(turn.id) ?? turn;
  ports.publish("TurnStarted", running, { agent: adapter.name, model, runId: folder.runId });
  const log = await sendPrompt({ turn: running, input, resolved, folder, ports });
  const { status } = log.execution;
  store.turns.end(turn.id, {
    status: status === "success" ? "done" : status === "cancelled" ? "cancelled" : "failed",
    answer: maskSecrets(answerText(log), secretValues(input.env)),
    conversation: log.session.id,
    problem: describeProblem(log),
  });
  publishEnd(turn, ports, log);
}

function describeProblem({ errors, execution: { status } }: RunLog): TurnProblem | null {
  if (status === "success") return null;
  if (status === "cancelled")
    return { class: "Cancelled", code: "Cancelled", message: "the turn was cancelled" };
  const [first] = errors;
  const code = first?.code ?? "AgentRunFailed";
  const message = maskSecrets(first?.message ?? "the agent did not say that it was done");
  return { class: "Agent", code, message };
}

/** Of a turn that never started. */
function endTurn(turn: Turn, problem: TurnProblem, ports: TurnPorts): void {
  const end = { status: "failed", answer: null, conversation: null, problem } as const;
  if (ports.store.turns.end(turn.id, end)) publishEnd(turn, ports, null);
}

function publishEnd(turn: Turn, { store, publish }: TurnPorts, log: RunLog | null): void {
  const ended = store.turns.read(turn.id) ?? turn;
  publish("TurnEnded", ended, {
    status: ended.status,
    code: ended.problem?.code ?? null,
    tokens: log?.usage.total_tokens ?? null,
    costUsd: log?.cost?.usd ?? null,
  });
}
