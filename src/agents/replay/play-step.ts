import { runProcess } from "../../process/run-process.ts";
import { finalEvent, initEvent, type LogEvent, type ToolResultEvent } from "../log-event.ts";
import { UNKNOWN_USAGE } from "../usage.ts";
import type { Cassette, CassetteStep } from "./cassette.ts";
import { editWorkspaceFile, type ToolAnswer, writeWorkspaceFile } from "./workspace-file.ts";

export interface Stage {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly emit: (event: LogEvent) => void;
}

/** Plays one step; `number` makes the ids of tool calls, the same in every playing. */
export async function playStep(step: CassetteStep, number: number, stage: Stage): Promise<void> {
  if (step.say !== undefined) return say(step.say, stage);
  const id = `call-${number}`;
  const { name, args } = describeCall(step);
  stage.emit({ kind: "tool_call", id, name, arguments: args, at: null });
  const answer = await act(step, stage);
  stage.emit(toolResult(id, answer));
}

/** Whole, not by letters: what is shown at speed is not worth pretending. */
function say(text: string, { emit }: Stage): void {
  emit({ kind: "delta", channel: "answer", text, at: null, parent: null });
  const words = { role: "assistant", content: text, at: null, parent: null } as const;
  emit({ kind: "message", ...words, isStreamed: true });
}

function describeCall(step: CassetteStep): { name: string; args: unknown } {
  if (step.tool !== undefined) return { name: step.tool.name, args: step.tool.arguments ?? null };
  if (step.shell !== undefined) return { name: step.as ?? "shell", args: { command: step.shell } };
  if (step.write !== undefined) return { name: step.as ?? "write", args: step.write };
  return { name: step.as ?? "edit", args: step.edit ?? null };
}

const toolResult = (
  id: string,
  { result, isError }: { result: string | null; isError: boolean },
): ToolResultEvent => ({
  kind: "tool_result",
  id,
  result,
  isError,
  durationMs: null,
  permission: null,
  at: null,
});

async function act(
  step: CassetteStep,
  stage: Stage,
): Promise<{ result: string | null; isError: boolean }> {
  if (step.shell !== undefined) return runShell(step.shell, stage);
  if (step.write !== undefined)
    return writeWorkspaceFile(stage.workspace, step.write.path, step.write.content);
  if (step.edit !== undefined) return editWorkspaceFile(stage.workspace, step.edit);
  return { result: step.tool?.result ?? null, isError: step.tool?.is_error ?? false };
}

async function runShell(command: string, stage: Stage): Promise<ToolAnswer> {
  const spec = {
    executable: "sh",
    args: ["-c", command],
    env: stage.env,
    cwd: stage.workspace,
  };
  const ending = await runProcess(spec, { signal: stage.signal, runId: stage.runId });
  const printed = Buffer.concat([ending.stdout, ending.stderr]).toString("utf8");
  const isError = ending.kind !== "exited" || ending.exitCode !== 0;
  return { result: printed, isError };
}

/** The first word of a playing, and the last. */
export const openEvent = ({ recorded }: Cassette): LogEvent =>
  initEvent({ model: recorded?.model ?? null });

export function closeEvents(cassette: Cassette): LogEvent[] {
  const { usage, cost_usd: cost, turns, stop_reason: stopReason, failure } = cassette;
  const figures = {
    ...UNKNOWN_USAGE,
    input: usage?.input_tokens ?? null,
    output: usage?.output_tokens ?? null,
    cacheRead: usage?.cache_read_tokens ?? null,
    cacheWrite: usage?.cache_write_tokens ?? null,
    reasoning: usage?.reasoning_tokens ?? null,
  };
  const isSuccess = failure === undefined;
  return [
    { kind: "usage", figures, costUsd: cost ?? null, scope: "run", at: null },
    ...(isSuccess
      ? []
      : [{ kind: "error", reason: "UNKNOWN", message: failure, at: null, context: null } as const]),
    finalEvent({ isSuccess, stopReason: stopReason ?? null, turns: turns ?? null }),
  ];
}
