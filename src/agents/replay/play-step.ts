// One step of a cassette: its words are said, its command is run, its file is written or edited.

import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../core/command/fault.ts";
import { hasSucceeded } from "../../core/process/command-spec.ts";
import { runProcess } from "../../core/process/run.ts";
import { asRecord } from "../../core/project/json-value.ts";
import type { ToolArguments } from "../../core/step/envelope.ts";
import { finalEvent, initEvent, type LogEvent, type ToolResultEvent } from "../log/event.ts";
import { asText } from "../log/json-fields.ts";
import { UNKNOWN_USAGE } from "../log/usage.ts";
import type { WrapProgram } from "../run/adapter.ts";
import { resolveInWorkspace } from "../run/workspace.ts";
import type { Cassette, CassetteStep } from "./cassette.ts";

// The tools of a playing, carried out for real: a command is run, a file of the workspace is read, written or edited.

interface ReplayContext {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly wrap: WrapProgram | undefined;
}

export interface ToolCall {
  readonly tool: "shell" | "read" | "write" | "edit";
  readonly args: ToolArguments;
}

interface ToolOutcome {
  readonly result: string | null;
  readonly isError: boolean;
}

/** Every failure is an outcome; an argument that is missing or no text is one too. */
async function performTool({ tool, args }: ToolCall, context: ReplayContext): Promise<ToolOutcome> {
  const text = (name: string): string => {
    const value = asText(args[name]);
    if (value === null) throw new Error(`\`${name}\` must be text`);
    return value;
  };
  try {
    if (tool === "shell") return await runShell(text("command"), context);
    return { result: await changeFile(tool, text, context.workspace), isError: false };
  } catch (error) {
    return { result: messageOf(error), isError: true };
  }
}

function changeFile(
  tool: Exclude<ToolCall["tool"], "shell">,
  text: (name: string) => string,
  workspace: string,
): Promise<string> {
  const path = text("path");
  if (tool === "read") return readWorkspaceFile(workspace, path);
  if (tool === "write") return writeWorkspaceFile(workspace, path, text("content"));
  return editWorkspaceFile(workspace, { path, old: text("old"), new: text("new") });
}

async function runShell(command: string, context: ReplayContext): Promise<ToolOutcome> {
  const spec = {
    executable: "sh",
    args: ["-c", command],
    env: context.env,
    cwd: context.workspace,
  };
  const wrapped = (await context.wrap?.(spec)) ?? spec;
  const ending = await runProcess(wrapped, { signal: context.signal, runId: context.runId });
  const printed = Buffer.concat([ending.stdout, ending.stderr]).toString("utf8");
  return { result: printed, isError: !hasSucceeded(ending) };
}

const MAX_READ_BYTES = 1024 * 1024;

async function readWorkspaceFile(workspace: string, path: string): Promise<string> {
  const target = await resolveTarget(workspace, path);
  const found = await stat(target);
  if (!found.isFile() || found.size > MAX_READ_BYTES)
    throw new Error(`${path} is no file of at most ${MAX_READ_BYTES} bytes`);
  return readFile(target, "utf8");
}

/** Writes a file of the workspace; its folders are made. */
async function writeWorkspaceFile(
  workspace: string,
  path: string,
  content: string,
): Promise<string> {
  const target = await resolveTarget(workspace, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
  return `wrote ${path} (${Buffer.byteLength(content)} bytes)`;
}

/** Replaces a text that stands exactly once in a file. */
async function editWorkspaceFile(
  workspace: string,
  change: { readonly path: string; readonly old: string; readonly new: string },
): Promise<string> {
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
}

/** Where a path of a playing is; one that leads out of the workspace, by a link too, is refused. */
async function resolveTarget(workspace: string, path: string): Promise<string> {
  const target = await resolveInWorkspace(workspace, path);
  if (target === null) throw new Error(`${path} is outside of the workspace`);
  return target;
}

export interface PlayContext extends ReplayContext {
  readonly emit: (event: LogEvent) => void;
  readonly say: (text: string) => Promise<void> | void;
  /** Asked before a tool runs; absent where nobody is to be asked. */
  readonly decide?: (call: AskedCall) => Promise<Decision>;
}

interface AskedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: ToolArguments;
}

type Decision =
  | { readonly kind: "allow"; readonly args: ToolArguments | null }
  | { readonly kind: "deny"; readonly reason: string };

export interface PlayedOutcome extends ToolOutcome {
  /** Why it was not done; null where it was. */
  readonly refusal: string | null;
}

/** Plays one step; `number` makes the ids of tool calls, the same in every playing. */
export async function playStep(
  step: CassetteStep,
  number: number,
  context: PlayContext,
): Promise<void> {
  if (step.say !== undefined) return context.say(step.say);
  const { prompt, tool: other } = step;
  if (prompt !== undefined) return;
  const id = `call-${number}`;
  if (other === undefined) await playCall(callOf(step), { id, name: step.as }, context);
  else await playRecorded(other, id, context);
}

function callOf({ shell, write, edit }: CassetteStep): ToolCall {
  if (shell !== undefined) return { tool: "shell", args: { command: shell } };
  if (write !== undefined) return { tool: "write", args: write };
  return { tool: "edit", args: asRecord(edit) };
}

/** Whoever decides is asked in replay's own words; the log shows the name that the recorded agent had for the tool. */
export async function playCall(
  call: ToolCall,
  { id, name = call.tool }: { readonly id: string; readonly name?: string | undefined },
  context: PlayContext,
): Promise<PlayedOutcome> {
  context.emit({ kind: "tool_call", id, name, arguments: call.args, at: null });
  const decision = await context.decide?.({ id, ...call });
  const outcome =
    decision?.kind === "deny"
      ? { result: decision.reason, isError: true }
      : await performTool({ ...call, args: decision?.args ?? call.args }, context);
  context.emit(describeResult(id, outcome, decision));
  return { ...outcome, refusal: decision?.kind === "deny" ? decision.reason : null };
}

/** Nothing is done by such a tool, so nobody is asked. */
function playRecorded(
  tool: NonNullable<CassetteStep["tool"]>,
  id: string,
  { emit }: PlayContext,
): void {
  const { name, arguments: args = null, result = null, is_error: isError = false } = tool;
  emit({ kind: "tool_call", id, name, arguments: args, at: null });
  emit(describeResult(id, { result, isError }, undefined));
}

const describeResult = (
  id: string,
  { result, isError }: ToolOutcome,
  decision: Decision | undefined,
): ToolResultEvent => ({
  kind: "tool_result",
  id,
  result,
  isError,
  durationMs: null,
  permission: decision === undefined ? null : PERMISSIONS[decision.kind],
  at: null,
});

const PERMISSIONS = { allow: "allowed", deny: "denied" } as const;

/** Whole, not by letters: what is shown at speed is not worth pretending. */
export function emitAnswer(text: string, emit: (event: LogEvent) => void): void {
  emit({ kind: "delta", channel: "answer", text, at: null, parent: null });
  const words = { role: "assistant", content: text, at: null, parent: null } as const;
  emit({ kind: "message", ...words, isStreamed: true });
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
