import { MESSAGE_LIMIT } from "./cap-text.ts";
import type { DeltaEvent, LogEvent } from "./log-event.ts";

/**
 * Makes messages of deltas. Some agents repeat a streamed answer as a whole message, some never do,
 * and a cut run has only its deltas; behind this stage every answer is exactly one message.
 */
export class DeltaJoiner {
  #first: DeltaEvent | null = null;
  #text = "";

  push(event: LogEvent, sink: LogEvent[]): void {
    if (event.kind === "delta" && event.channel === "answer") this.#add(event, sink);
    else if (this.#first === null || !ENDS_ANSWER.has(event.kind)) sink.push(event);
    else if (event.kind === "message" && event.role === "assistant") {
      this.#reset();
      sink.push({ ...event, isStreamed: true });
    } else {
      this.end(sink);
      sink.push(event);
    }
  }

  end(sink: LogEvent[]): void {
    if (this.#first === null) return;
    const { at, parent } = this.#first;
    const content = this.#text;
    sink.push({ kind: "message", role: "assistant", content, at, parent, isStreamed: true });
    this.#reset();
  }

  #add(delta: DeltaEvent, sink: LogEvent[]): void {
    if (this.#first !== null && this.#first.parent !== delta.parent) this.end(sink);
    this.#first ??= delta;
    // A little over the limit is enough to show later that something was left out.
    if (this.#text.length <= MESSAGE_LIMIT) this.#text += delta.text;
    sink.push(delta);
  }

  #reset(): void {
    this.#first = null;
    this.#text = "";
  }
}

const ENDS_ANSWER: ReadonlySet<LogEvent["kind"]> = new Set([
  ...(["message", "tool_call", "tool_result", "final"] as const),
]);
