// One step of a cassette: its words are said, its command is run, its file is written or edited.
import type { ToolArguments } from "../../core/step/envelope.ts";
import { finalEvent, initEvent, type LogEvent, type ToolResultEvent } from "../log/event.ts";
import { asRecord } from "../log/json-fields.ts";
import { UNKNOWN_USAGE } from "../log/usage.ts";
import type { Cassette, CassetteStep } from "./cassette.ts";
import {
  performTool,
  type ReplayContext,
  type ToolCall,
  type ToolOutcome,
} from "./perform-tool.ts";

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

export type Decision =
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
export function sayWhole(text: string, emit: (event: LogEvent) => void): void {
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
