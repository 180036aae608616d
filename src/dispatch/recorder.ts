// Writes the events of dispatches: who, when, under which correlation, caused by what.
import type { JsonValue } from "../command/session-access.ts";
import type { AuditStore } from "../storage/stores.ts";
import type { Ending } from "./ending.ts";
import type { EventType, NewEvent, StoredEvent } from "./event.ts";
import type { EventBus } from "./event-bus.ts";
import type { Origin } from "./request.ts";

/** What all events of one dispatch share. */
export interface EventFacts {
  readonly correlationId: string;
  readonly sessionId: string | null;
  readonly origin: Origin;
}

type Details = Readonly<Record<string, JsonValue>>;

export interface Recorder {
  /** Returns what the events that follow are caused by. */
  open(facts: EventFacts, opening: { data: Details; cause: string | null }): string;
  close(facts: EventFacts, closing: Closing): void;
  note(type: EventType, facts: EventFacts, data: Details, cause?: string): void;
}

interface Closing {
  readonly name: string;
  readonly ending: Ending;
  readonly durationMs: number;
  readonly cause: string;
}

const LOST_CHECK_MS = 10_000;

export function createRecorder(audit: AuditStore, bus: EventBus, now: () => Date): Recorder {
  let nextLostCheck = 0;

  const make = (
    type: EventType,
    facts: EventFacts,
    data: Details,
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
