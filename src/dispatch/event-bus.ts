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
    for (const subscriber of subscribers) {
      if (subscriber === except) continue;
      try {
        const answer = subscriber(event);
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
