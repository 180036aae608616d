import type { JsonValue } from "../command/session-access.ts";
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

export interface StoredEvent extends NewEvent {
  /** Strictly increases per store. */
  readonly seq: number;
}
