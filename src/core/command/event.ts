import type { JsonValue } from "./context.ts";
import type { Origin } from "./request.ts";

export const EVENT_TYPES = [
  "CommandDispatched",
  "CommandResulted",
  "CommandUnknown",
  "ParamsChanged",
  "ModelChanged",
  "ProviderChanged",
  "StepDecided",
  "InteractionRaised",
  "InteractionAnswered",
  "AgentRunStarted",
  "AgentRunCompleted",
  "TurnQueued",
  "TurnStarted",
  "TurnEnded",
  "ModeChanged",
  "WorkflowAttached",
  "WorkflowDetached",
  "WorkflowStarted",
  "WorkflowEnded",
  "StageEntered",
  "StageLeft",
  "CommandsReloaded",
  "TrustChanged",
  "AccessDenied",
  "Diagnostic",
  "SubscriberFailed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What is published; the store adds `seq`. Data holds shapes and masked text, never a secret. */
export interface NewEvent {
  readonly time: string;
  readonly type: EventType;
  readonly correlationId: string;
  readonly causationId?: string;
  readonly sessionId: string | null;
  readonly origin: Origin;
  readonly data: { readonly [key: string]: JsonValue };
}

export interface StoredEvent extends Omit<NewEvent, "type"> {
  /** Strictly increases per store. */
  readonly seq: number;
  /** Another version writes to the same store, perhaps types that this one has no name for. */
  readonly type: EventType | (string & Record<never, never>);
}
