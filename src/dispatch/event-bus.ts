// Events are projection: they are written first, then shown to whoever listens. Nothing waits for a listener.
import type { NewEvent, StoredEvent } from "./event.ts";

export type Subscriber = (event: StoredEvent) => unknown;

export interface EventBus {
  publish(event: NewEvent): StoredEvent;
  /** Shows an event that was stored as part of a larger transaction. */
  announce(event: StoredEvent): void;
  subscribe(subscriber: Subscriber): () => void;
}

export function createEventBus(append: (event: NewEvent) => StoredEvent): EventBus {
  const subscribers = new Set<Subscriber>();

  const report = (event: StoredEvent, error: unknown) => {
    // A failure while a failure is being shown ends here: it is in the audit, that is enough.
    const failed = append({
      time: event.time,
      type: "SubscriberFailed",
      correlationId: event.correlationId,
      causationId: String(event.seq),
      sessionId: event.sessionId,
      origin: event.origin,
      data: { problem: error instanceof Error ? error.name : typeof error, of: event.type },
    });
    if (event.type !== "SubscriberFailed") announce(failed);
  };

  const announce = (event: StoredEvent) => {
    for (const subscriber of subscribers) {
      try {
        const answer = subscriber(event);
        if (answer instanceof Promise) answer.catch((error: unknown) => report(event, error));
      } catch (error) {
        report(event, error);
      }
    }
  };

  return {
    publish: (event) => {
      const stored = append(event);
      announce(stored);
      return stored;
    },
    announce,
    subscribe: (subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
  };
}
