// One step of a cassette: its words are said, its command is run, its file is written or edited.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { runProcess } from "../../core/process/run.ts";
import { finalEvent, initEvent, type LogEvent, type ToolResultEvent } from "../log/event.ts";
import { UNKNOWN_USAGE } from "../log/usage.ts";
import type { WrapProgram } from "../run/adapter.ts";
import { resolveInWorkspace } from "../run/workspace.ts";
import type { Cassette, CassetteStep } from "./cassette.ts";

interface PlayContext {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly emit: (event: LogEvent) => void;
  readonly wrap: WrapProgram | undefined;
}

/** Plays one step; `number` makes the ids of tool calls, the same in every playing. */
export async function playStep(
  step: CassetteStep,
  number: number,
  context: PlayContext,
): Promise<void> {
  if (step.say !== undefined) return say(step.say, context);
  const id = `call-${number}`;
  const { name, args } = describeCall(step);
  context.emit({ kind: "tool_call", id, name, arguments: args, at: null });
  const answer = await act(step, context);
  context.emit(toolResult(id, answer));
}

/** Whole, not by letters: what is shown at speed is not worth pretending. */
function say(text: string, { emit }: PlayContext): void {
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

const toolResult = (id: string, { result, isError }: ToolAnswer): ToolResultEvent => ({
  kind: "tool_result",
  id,
  result,
  isError,
  durationMs: null,
  permission: null,
  at: null,
});

async function act(step: CassetteStep, context: PlayContext): Promise<ToolAnswer> {
  if (step.shell !== undefined) return runShell(step.shell, context);
  if (step.write !== undefined)
    return writeWorkspaceFile(context.workspace, step.write.path, step.write.content);
  if (step.edit !== undefined) return editWorkspaceFile(context.workspace, step.edit);
  return { result: step.tool?.result ?? null, isError: step.tool?.is_error ?? false };
}

async function runShell(command: string, context: PlayContext): Promise<ToolAnswer> {
  const spec = {
    executable: "sh",
    args: ["-c", command],
    env: context.env,
    cwd: context.workspace,
  };
  const wrapped = (await context.wrap?.(spec)) ?? spec;
  const ending = await runProcess(wrapped, { signal: context.signal, runId: context.runId });
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

interface ToolAnswer {
  readonly result: string | null;
  readonly isError: boolean;
}

/** Writes a file of the workspace; its folders are made. */
async function writeWorkspaceFile(
  workspace: string,
  path: string,
  content: string,
): Promise<ToolAnswer> {
  return attempt(async () => {
    const target = await resolveTarget(workspace, path);
    await writeFile(target, content);
    return `wrote ${path} (${Buffer.byteLength(content)} bytes)`;
  });
}

/** Replaces a text that stands exactly once in a file. */
async function editWorkspaceFile(
  workspace: string,
  change: { readonly path: string; readonly old: string; readonly new: string },
): Promise<ToolAnswer> {
  return attempt(async () => {
    const target = await resolveTarget(workspace, change.path);
    const before = await readFile(target, "utf8");
    const count = before.split(change.old).length - 1;
    if (count !== 1)
      throw new Error(`the text to replace stands ${count} times in ${change.path}, not once`);
    // As a function, so that a `$` in the new text stays one.
    await writeFile(
      target,
      before.replace(change.old, () => change.new),
    );
    return `edited ${change.path}`;
  });
}

async function attempt(act: () => Promise<string>): Promise<ToolAnswer> {
  try {
    return { result: await act(), isError: false };
  } catch (error) {
    return { result: error instanceof Error ? error.message : String(error), isError: true };
  }
}

/** Where a path of a cassette is; one that leads out of the workspace, by a link too, is refused. */
async function resolveTarget(workspace: string, path: string): Promise<string> {
  const target = await resolveInWorkspace(workspace, path);
  if (target === null) throw new Error(`${path} is outside of the workspace`);
  await mkdir(dirname(target), { recursive: true });
  return target;
}
