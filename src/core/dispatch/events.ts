// Writes the events of dispatches: who, when, under which correlation, caused by what.
import type { JsonValue } from "../command/context.ts";
import type { EventType, NewEvent, StoredEvent } from "../command/event.ts";
import type { Origin } from "../command/request.ts";
import { freezeDeep } from "../project/json-value.ts";
import type { AuditStore } from "../store/stores.ts";
import type { DispatchEnding } from "./ending.ts";

/** What all events of one dispatch share. */
export interface EventFacts {
  readonly correlationId: string;
  readonly sessionId: string | null;
  readonly origin: Origin;
}

export type EventDetails = Readonly<Record<string, JsonValue>>;

export interface Recorder {
  /** Returns what the events that follow are caused by. */
  open(facts: EventFacts, opening: { data: EventDetails; cause: string | null }): string;
  close(facts: EventFacts, closing: Closing): void;
  note(type: EventType, facts: EventFacts, data: EventDetails, cause?: string): void;
}

interface Closing {
  readonly name: string;
  readonly ending: DispatchEnding;
  readonly durationMs: number;
  readonly cause: string;
}

const LOST_CHECK_MS = 10_000;

export function createRecorder(audit: AuditStore, bus: EventBus, now: () => Date): Recorder {
  let nextLostCheck = 0;

  const make = (
    type: EventType,
    facts: EventFacts,
    data: EventDetails,
    cause: string | null,
  ): NewEvent => ({
    time: now().toISOString(),
    type,
    ...facts,
    ...(cause === null ? {} : { causationId: cause }),
    data,
  });

  // Dispatches that a dead process left open are closed by whoever comes next.
  const closeLost = () => {
    if (now().getTime() < nextLostCheck) return;
    nextLostCheck = now().getTime() + LOST_CHECK_MS;
    const closed = audit.closeLost((opened) => makeLost(opened, now()));
    for (const event of closed) bus.announce(event);
  };

  return {
    open: (facts, { data, cause }) => {
      closeLost();
      const stored = audit.openDispatch(make("CommandDispatched", facts, data, cause));
      bus.announce(stored);
      return String(stored.seq);
    },
    close: (facts, { name, ending, durationMs, cause }) => {
      const outcome = {
        kind: ending.kind,
        exitCode: ending.result.exitCode,
        class: ending.error?.class ?? null,
        code: ending.error?.code ?? null,
        durationMs,
      };
      const event = make("CommandResulted", facts, { name, outcome }, cause);
      bus.announce(audit.closeDispatch(Number(cause), event));
    },
    note: (type, facts, data, cause) => {
      bus.publish(make(type, facts, data, cause ?? null));
    },
  };
}

function makeLost(opened: StoredEvent, now: Date): NewEvent {
  const durationMs = Math.max(0, now.getTime() - Date.parse(opened.time));
  const outcome = {
    kind: "failed",
    exitCode: 1,
    class: "Internal",
    code: "ProcessLost",
    durationMs,
  };
  return {
    time: now.toISOString(),
    type: "CommandResulted",
    correlationId: opened.correlationId,
    causationId: String(opened.seq),
    sessionId: opened.sessionId,
    origin: opened.origin,
    data: { name: opened.data.name ?? null, outcome },
  };
}

// Events are projection: they are written first, then shown to whoever listens. Nothing waits for a listener.

export type Subscriber = (event: StoredEvent) => unknown;

export interface EventBus {
  publish(event: NewEvent): StoredEvent;
  /** Shows an event that was stored as part of a larger transaction. */
  announce(event: StoredEvent): void;
  subscribe(subscriber: Subscriber): () => void;
}

export function createEventBus(append: (event: NewEvent) => StoredEvent): EventBus {
  const subscribers = new Set<Subscriber>();

  const report = (event: StoredEvent, error: unknown, failing: Subscriber) => {
    const failed = append({
      time: event.time,
      type: "SubscriberFailed",
      correlationId: event.correlationId,
      causationId: String(event.seq),
      sessionId: event.sessionId,
      origin: event.origin,
      data: { problem: error instanceof Error ? error.name : typeof error, of: event.type },
    });
    // Whoever failed is not shown its own failure, and a failure to be shown one is not shown again.
    if (event.type !== "SubscriberFailed") announce(failed, failing);
  };

  const announce = (event: StoredEvent, except?: Subscriber) => {
    if (subscribers.size === 0) return;
    // One copy for all that nobody can change; what its publisher goes on with stays as it is.
    const shown = freezeDeep(structuredClone(event));
    for (const subscriber of subscribers) {
      if (subscriber === except) continue;
      try {
        const answer = subscriber(shown);
        if (answer instanceof Promise)
          answer.catch((error: unknown) => report(event, error, subscriber));
      } catch (error) {
        report(event, error, subscriber);
      }
    }
  };

  return {
    publish: (event) => {
      const stored = append(event);
      announce(stored);
      return stored;
    },
    announce: (event) => announce(event),
    subscribe: (subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
  };
}
