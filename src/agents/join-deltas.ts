import { MESSAGE_LIMIT } from "./cap-text.ts";
import type { DeltaEvent, EventSink, LogEvent } from "./log-event.ts";

/**
 * Makes messages of deltas. Some agents repeat a streamed answer as a whole message, some never do,
 * and a cut run has only its deltas; behind this stage every answer is exactly one message. An answer
 * that was cut and is asked for again begins anew: what came of the first try is kept only until then.
 */
export class DeltaJoiner {
  readonly #sink: EventSink;
  #first: DeltaEvent | null = null;
  #text = "";
  #isCut = false;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  push(event: LogEvent): void {
    if (event.kind === "retry") this.#isCut = true;
    if (event.kind === "delta" && event.channel === "answer") this.#add(event);
    else if (this.#first === null || !ENDS_ANSWER.has(event.kind)) this.#sink(event);
    else if (event.kind === "message" && event.role === "assistant") {
      this.#reset();
      this.#sink({ ...event, isStreamed: true });
    } else {
      this.end();
      this.#sink(event);
    }
  }

  end(): void {
    if (this.#first === null) return;
    const { at, parent } = this.#first;
    const content = this.#text;
    this.#reset();
    this.#sink({ kind: "message", role: "assistant", content, at, parent, isStreamed: true });
  }

  #add(delta: DeltaEvent): void {
    if (this.#isCut) this.#reset();
    if (this.#first !== null && this.#first.parent !== delta.parent) this.end();
    this.#first ??= delta;
    // A little over the limit is enough to show later that something was left out.
    if (this.#text.length <= MESSAGE_LIMIT) this.#text += delta.text;
    this.#sink(delta);
  }

  #reset(): void {
    this.#first = null;
    this.#text = "";
    this.#isCut = false;
  }
}

const ENDS_ANSWER: ReadonlySet<LogEvent["kind"]> = new Set([
  ...(["message", "tool_call", "tool_result", "final"] as const),
]);
