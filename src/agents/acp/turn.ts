// What an agent says between a prompt and its answer to it.
import { classifyFailure } from "../error-codes.ts";
import { asName, asRecord, asText, type JsonRecord } from "../json-fields.ts";
import { answerDelta, errorEvent, finalEvent, type LogEvent, NO_EVENTS } from "../log-event.ts";
import { sumUsage, type UsageFigures } from "../usage.ts";
import { ToolCalls } from "./tool-calls.ts";
import { convertUsage, readCost, readUsage } from "./usage.ts";

/** How a turn ended that was not simply done. */
const FAILED_STOPS: ReadonlyMap<string, LogEvent> = new Map([
  ["refusal", errorEvent("REFUSED", "the agent refused to go on")],
  ["max_turn_requests", errorEvent("MAX_TURNS", "the agent reached its limit of turns")],
  ["max_tokens", errorEvent("ABORTED", "the answer was cut: the limit of tokens was reached")],
  ["cancelled", errorEvent("ABORTED", "the agent's turn was cancelled")],
]);

export class Turn {
  readonly tools = new ToolCalls();
  readonly #steps: UsageFigures[] = [];
  #lastWords = "";
  #costUsd: number | null = null;

  readUpdate(update: JsonRecord): readonly LogEvent[] {
    const text = asText(asRecord(update.content).text) ?? "";
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        this.#noteStep(asRecord(asRecord(update._meta).usage));
        this.#lastWords = text === "" ? this.#lastWords : text;
        return text === "" ? NO_EVENTS : [answerDelta(text)];
      case "agent_thought_chunk":
        return [{ kind: "delta", channel: "thinking", text, at: null, parent: null }];
      case "tool_call":
      case "tool_call_update":
        return this.tools.update(update);
      case "usage_update":
        this.#costUsd = readCost(update) ?? this.#costUsd;
        return NO_EVENTS;
      default:
        return NO_EVENTS;
    }
  }

  end(result: JsonRecord, { agent, isCancelled }: TurnEnd): readonly LogEvent[] {
    const stopReason = asName(result.stopReason);
    const error = isCancelled ? null : this.#findError(stopReason, agent);
    const figures = sumUsage(this.#steps) ?? readUsage(result, agent);
    return [
      ...this.tools.endDenied(),
      { kind: "usage", figures, costUsd: this.#costUsd, scope: "run", at: null },
      ...(error === null ? [] : [error]),
      finalEvent({ isSuccess: stopReason === "end_turn" && error === null, stopReason }),
    ];
  }

  /** Qwen Code gives each step's figures beside an empty piece of its answer. */
  #noteStep(usage: JsonRecord): void {
    if (usage.inputTokens !== undefined) this.#steps.push(convertUsage(usage));
  }

  #findError(stopReason: string | null, agent: string | null): LogEvent | null {
    const known = FAILED_STOPS.get(stopReason ?? "");
    if (known !== undefined) return known;
    // Copilot 1.0.102 ends such a turn as usual and only says so.
    const reason = classifyFailure({ text: this.#lastWords });
    const isSaid = agent === "Copilot" && this.#lastWords.startsWith("Error: ");
    return isSaid && reason !== "UNKNOWN" ? errorEvent(reason, this.#lastWords) : null;
  }
}

export interface TurnEnd {
  /** The agent by its own name. */
  readonly agent: string | null;
  /** It was asked to stop, and why is known elsewhere. */
  readonly isCancelled: boolean;
}
