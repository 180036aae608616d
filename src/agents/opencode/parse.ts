// opencode's `run --format json` output, measured on 1.18.33.

import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { classifyFailure } from "../log/error-reasons.ts";
import {
  assistantMessage,
  errorEvent,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
} from "../log/event.ts";
import { asAmount, asCount, asName, asText, asTimestamp } from "../log/json-fields.ts";
import { withCache, withReasoning } from "../log/usage.ts";
import type { OutputDialect } from "../run/output/parser.ts";

const TYPES: ReadonlySet<unknown> = new Set([
  ...["step_start", "text", "reasoning", "tool_use", "step_finish", "error"],
]);

/** There is no last event: what the last step said and whether an error came decide the end. */
export class OpencodeDialect implements OutputDialect {
  #steps = 0;
  #lastReason: string | null = null;
  #hasError = false;
  #hasSession = false;

  readonly recognizes = ({ type, sessionID }: JsonRecord): boolean =>
    TYPES.has(type) && typeof sessionID === "string";

  readRecord(record: JsonRecord): readonly LogEvent[] {
    const at = asTimestamp(record.timestamp);
    const events = this.#readEvent(record, at);
    if (this.#hasSession) return events;
    this.#hasSession = true;
    return [initEvent({ at, sessionId: asName(record.sessionID) }), ...events];
  }

  finish(): readonly LogEvent[] {
    const word = { stopReason: this.#lastReason, turns: this.#steps };
    if (this.#hasError) return [finalEvent({ isSuccess: false, ...word })];
    if (this.#lastReason === null) return NO_EVENTS;
    return [finalEvent({ isSuccess: this.#lastReason === "stop", ...word })];
  }

  readStderr = readUsageText;

  #readEvent(record: JsonRecord, at: string | null): readonly LogEvent[] {
    const part = asRecord(record.part);
    switch (record.type) {
      case "step_start":
        this.#lastReason = null;
        return NO_EVENTS;
      case "text":
        return [assistantMessage(asText(part.text) ?? "", at)];
      case "reasoning":
        return [readThought(part, at)];
      case "tool_use":
        return readTool(part, at);
      case "step_finish":
        this.#steps += 1;
        this.#lastReason = asName(part.reason);
        return [readUsage(part, at)];
      case "error":
        this.#hasError = true;
        return [readError(asRecord(record.error), at)];
      default:
        return NO_EVENTS;
    }
  }
}

const readThought = (part: JsonRecord, at: string | null): LogEvent => ({
  kind: "delta",
  channel: "thinking",
  text: asText(part.text) ?? "",
  at,
  parent: null,
});

/** A wrong argument is answered with the usage alone. */
function readUsageText(text: string): readonly LogEvent[] {
  return /^opencode \S.*\n[\s\S]*^Options:$/m.test(text)
    ? [errorEvent("INVALID_CONFIG", "an argument is unknown or wrong: it printed its usage")]
    : NO_EVENTS;
}

/** One event for the whole call, after it ran; a command that failed is "completed" all the same. */
function readTool(part: JsonRecord, at: string | null): readonly LogEvent[] {
  const id = asName(part.callID);
  const name = asName(part.tool);
  if (id === null || name === null) return NO_EVENTS;
  const state = asRecord(part.state);
  const { start, end } = asRecord(state.time);
  const exitCode = asRecord(state.metadata).exit;
  const hasFailed = state.status === "error" || (typeof exitCode === "number" && exitCode !== 0);
  const failure = asName(state.error);
  return [
    { kind: "tool_call", id, name, arguments: state.input ?? null, at: asTimestamp(start) ?? at },
    {
      kind: "tool_result",
      id,
      result: asText(state.output) ?? failure,
      isError: hasFailed,
      durationMs: null,
      permission: failure !== null && /reject|denied|permission/i.test(failure) ? "denied" : null,
      at: asTimestamp(end) ?? at,
    },
  ];
}

/** Input is without the cache, output without the reasoning. */
function readUsage({ tokens: given, cost }: JsonRecord, at: string | null): LogEvent {
  const tokens = asRecord(given);
  const cache = asRecord(tokens.cache);
  const figures = withReasoning(
    withCache({
      input: asCount(tokens.input),
      output: asCount(tokens.output),
      cacheRead: asCount(cache.read),
      cacheWrite: asCount(cache.write),
      reasoning: asCount(tokens.reasoning),
    }),
  );
  return { kind: "usage", figures, costUsd: asAmount(cost), scope: "step", at };
}

function readError({ name, data: given }: JsonRecord, at: string | null): LogEvent {
  const data = asRecord(given);
  const message = asName(data.message) ?? asName(name) ?? "the run failed";
  const reason = classifyFailure({
    status: asCount(data.statusCode),
    word: asName(name),
    text: message,
  });
  return errorEvent(reason, message, at);
}
