// What an agent's output says, one event at a time and in the same words for every agent. What the
// agent did not say is null.
import type { ErrorReason } from "./error-reasons.ts";
import type { UsageFigures } from "./usage.ts";

interface TimedEvent {
  /** ISO 8601, as the agent stamped it. */
  readonly at: string | null;
}

/** Facts about the run; each may come once or in pieces. */
export interface InitEvent extends TimedEvent {
  readonly kind: "init";
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly agentVersion: string | null;
  readonly workingDirectory: string | null;
  /** The names of the tools that it offers to the model; absent where it does not say. */
  readonly tools?: readonly string[];
}

interface MessageEvent extends TimedEvent {
  readonly kind: "message";
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
  /** The tool call whose sub-agent said it. */
  readonly parent: string | null;
  /** Its text has already passed by as deltas: who prints both would print it twice. */
  readonly isStreamed: boolean;
  /** So many characters of a very long one were not kept; absent where all of it is here. */
  readonly leftOut?: number;
}

export interface DeltaEvent extends TimedEvent {
  readonly kind: "delta";
  readonly channel: "answer" | "thinking";
  readonly text: string;
  readonly parent: string | null;
}

export interface ToolCallEvent extends TimedEvent {
  readonly kind: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export interface ToolResultEvent extends TimedEvent {
  readonly kind: "tool_result";
  readonly id: string;
  readonly result: string | null;
  /** Null where the agent's word on it cannot be trusted. */
  readonly isError: boolean | null;
  readonly durationMs: number | null;
  readonly permission: "allowed" | "denied" | null;
}

export interface UsageEvent extends TimedEvent {
  readonly kind: "usage";
  readonly figures: UsageFigures;
  readonly costUsd: number | null;
  /** Whether these figures are the run's totals or one step's, to be added up. */
  readonly scope: "run" | "step";
}

export interface RetryEvent extends TimedEvent {
  readonly kind: "retry";
  readonly reason: ErrorReason;
  readonly message: string;
  readonly attempt: number | null;
}

export interface ErrorEvent extends TimedEvent {
  readonly kind: "error";
  readonly reason: ErrorReason;
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>> | null;
}

/** The agent's own word on how the run ended. */
export interface FinalEvent extends TimedEvent {
  readonly kind: "final";
  readonly isSuccess: boolean;
  readonly stopReason: string | null;
  readonly turns: number | null;
  /** The answer, where the agent repeats it at the end. */
  readonly text: string | null;
  readonly filesChanged: readonly string[];
  /** How long the whole run took by the agent's own clock. */
  readonly durationMs: number | null;
}

export type LogEvent =
  | InitEvent
  | MessageEvent
  | DeltaEvent
  | ToolCallEvent
  | ToolResultEvent
  | UsageEvent
  | RetryEvent
  | ErrorEvent
  | FinalEvent;

export type EventSink = (event: LogEvent) => void;

export const NO_EVENTS: readonly LogEvent[] = [];

const NOTHING_KNOWN = {
  kind: "init",
  at: null,
  sessionId: null,
  model: null,
  provider: null,
  agentVersion: null,
  workingDirectory: null,
} as const;

/** `initEvent({ model: "opus" })` – an init event of the facts that are known. */
export const initEvent = (facts: Partial<Omit<InitEvent, "kind">>): InitEvent => ({
  ...NOTHING_KNOWN,
  ...facts,
});

export const assistantMessage = (content: string, at: string | null = null): MessageEvent => ({
  kind: "message",
  role: "assistant",
  content,
  at,
  parent: null,
  isStreamed: false,
});

export const answerDelta = (text: string, at: string | null = null): DeltaEvent => ({
  kind: "delta",
  channel: "answer",
  text,
  at,
  parent: null,
});

export const errorEvent = (
  reason: ErrorReason,
  message: string,
  at: string | null = null,
): ErrorEvent => ({ kind: "error", reason, message, at, context: null });

const NO_FINAL_FACTS = {
  kind: "final",
  at: null,
  stopReason: null,
  turns: null,
  text: null,
  filesChanged: [],
  durationMs: null,
} as const;

export const finalEvent = (
  facts: Pick<FinalEvent, "isSuccess"> & Partial<Omit<FinalEvent, "kind">>,
): FinalEvent => ({ ...NO_FINAL_FACTS, ...facts });
