import type { NewEvent } from "../../../src/core/command/event.ts";

/** An event like those of a dispatch, with whatever the test cares about. */
export function sampleEvent(parts: Partial<NewEvent> = {}): NewEvent {
  return {
    time: "2026-11-15T12:00:00.000Z",
    type: "CommandDispatched",
    correlationId: "correlation-1",
    sessionId: "session-1",
    origin: { surface: "cli" },
    data: { name: "deploy", args: { target: "string(4)" } },
    ...parts,
  };
}
