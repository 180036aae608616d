// One turn from its start to its end: resolve, open or take up the conversation, send, record, end. Every ending is a
// row; nothing here rejects but for a bug.
import type { LogEvent } from "../../agents/log/event.ts";
import { makeRunFolder } from "../../agents/log/run-files.ts";
import { answerText, type RunLog } from "../../agents/log/run-log.ts";
import { decideExit } from "../../agents/run/command-run.ts";
import type { StepHook, ToolAnswer, ToolRequest } from "../../agents/run/conversation.ts";
import type { JsonValue } from "../../core/command/context.ts";
import type { EventType } from "../../core/command/event.ts";
import { Fault, formatFault, reportFault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { maskSecrets, secretValues } from "../../core/secrets/mask.ts";
import { explainFailure } from "../../core/store/storage-fault.ts";
import type { StateStore } from "../../core/store/stores.ts";
import type { Turn, TurnProblem } from "../../core/store/turn-row.ts";
import type { TurnEnd } from "../../core/store/turns.ts";
import type { GateTurn } from "../approvals/call-in-gate.ts";
import { resolveTurn } from "./resolve-turn.ts";
import { type ConcludedPrompt, sendPrompt } from "./send-prompt.ts";
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
  /** Writes the end and says so; where that fails, it is written as soon as it can be. */
  end(turn: Turn, end: TurnEnd, concluded: ConcludedPrompt | null): void;
  showProgress(turn: Turn, runId: string, offset: number, event: LogEvent): void;
  showNotice(turn: Turn, text: string): void;
}

export interface TurnInput {
  /** As it was typed; the row has it masked. */
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called when it has begun. */
  readonly onBegun: () => void;
}

export async function runTurn(turn: Turn, input: TurnInput, ports: TurnPorts): Promise<void> {
  let end = () => {};
  try {
    end = await resolveAndRun(turn, input, ports);
  } catch (thrown) {
    const error = explainFailure(ports.program.stateDir, thrown);
    if (!(error instanceof Fault)) throw error;
    const report = reportFault(error);
    const problem = {
      class: report.class,
      code: report.code,
      message: formatFault(report),
      ...exitCodeOf(error.exitCode),
    };
    const failed = { status: "failed", answer: null, conversation: null, problem } as const;
    end = () => ports.end(turn, failed, null);
  }
  end();
}

/** Gives what ends the turn. */
async function resolveAndRun(turn: Turn, input: TurnInput, ports: TurnPorts): Promise<() => void> {
  const { program, store } = ports;
  const state = store.read(turn.sessionId);
  const tell = (text: string) => ports.showNotice(turn, text);
  const resolved = await resolveTurn({ ...input, options: turn.options, state, program, tell });
  const { adapter, model } = resolved;
  const folder = makeRunFolder(program.stateDir);
  const start = { agent: adapter.name, model, runId: folder.runId };
  // Cancelled while it was looked up.
  if (!store.turns.start(turn.id, start)) return () => {};
  input.onBegun();
  const running = store.turns.read(turn.id) ?? turn;
  ports.publish("TurnStarted", running, { agent: adapter.name, model, runId: folder.runId });
  const brought = [...secretValues(input.env), ...resolved.secrets];
  ports.threads.learnSecrets(turn.sessionId, brought);
  const concluded = await sendPrompt({ turn: running, input, resolved, folder, ports });
  const { log } = concluded;
  const known = ports.threads.secretsOf(turn.sessionId);
  const { status } = log.execution;
  const end = {
    status: status === "success" ? "done" : status === "cancelled" ? "cancelled" : "failed",
    answer: maskSecrets(answerText(log), known),
    conversation: log.session.id,
    problem: describeProblem(log, known),
  } as const;
  return () => ports.end(turn, end, concluded);
}

const exitCodeOf = (exitCode: number): Pick<TurnProblem, "exitCode"> =>
  exitCode === 1 ? {} : { exitCode };

function describeProblem(log: RunLog, secrets: readonly string[]): TurnProblem | null {
  const {
    errors,
    execution: { status },
  } = log;
  if (status === "success") return null;
  if (status === "cancelled")
    return { class: "Cancelled", code: "Cancelled", message: "the turn was cancelled" };
  const [first] = errors;
  const code = first?.code ?? "AgentRunFailed";
  const message = maskSecrets(first?.message ?? "the agent did not say that it was done", secrets);
  return { class: "Agent", code, message, ...exitCodeOf(decideExit(log)) };
}
