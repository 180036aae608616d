import { MESSAGE_LIMIT } from "./cap-text.ts";
import { type DeltaEvent, type LogEvent, type MessageEvent, NO_EVENTS } from "./log-event.ts";

export interface DeltaJoiner {
  push(event: LogEvent): readonly LogEvent[];
  end(): readonly LogEvent[];
}

/**
 * Makes messages of deltas. Some agents repeat a streamed answer as a whole message, some never do,
 * and a cut run has only its deltas; after this stage every answer is exactly one message.
 */
export function createDeltaJoiner(): DeltaJoiner {
  let first: DeltaEvent | null = null;
  let text = "";

  function flush(): MessageEvent | null {
    if (first === null) return null;
    const { at, parent } = first;
    const joined = { kind: "message", role: "assistant", content: text, at, parent } as const;
    first = null;
    text = "";
    return { ...joined, isStreamed: true };
  }

  function add(delta: DeltaEvent): void {
    first ??= delta;
    // One character over the limit is enough to show later that something was left out.
    if (text.length <= MESSAGE_LIMIT) text += delta.text;
  }

  function push(event: LogEvent): readonly LogEvent[] {
    if (event.kind === "delta" && event.channel === "answer") {
      const earlier = first !== null && first.parent !== event.parent ? flush() : null;
      add(event);
      return earlier === null ? [event] : [earlier, event];
    }
    if (first === null || !endsAnswer(event)) return [event];
    const joined = flush();
    if (event.kind === "message" && event.role === "assistant")
      return [{ ...event, isStreamed: true }];
    return joined === null ? [event] : [joined, event];
  }

  return {
    push,
    end() {
      const joined = flush();
      return joined === null ? NO_EVENTS : [joined];
    },
  };
}

const endsAnswer = ({ kind }: LogEvent): boolean =>
  kind === "message" || kind === "tool_call" || kind === "tool_result" || kind === "final";
