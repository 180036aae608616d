// Copilot CLI's `--output-format json` output, measured on 1.0.102.
import { asRecord, type JsonRecord, parseJson } from "../../core/project/json-value.ts";
import { classifyFailure } from "../log/error-reasons.ts";
import {
  answerDelta,
  assistantMessage,
  errorEvent,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
  type RetryEvent,
} from "../log/event.ts";
import {
  asAmount,
  asCount,
  asFlag,
  asList,
  asName,
  asText,
  asTimestamp,
} from "../log/json-fields.ts";
import { sumUsage, type UsageFigures } from "../log/usage.ts";
import type { OutputDialect } from "../run/output/parser.ts";

const TYPE =
  /^(?:session|user|assistant|model|tool|agent|hook|permission|subagent)\.|^abort$|^result$/;

/** A run that was stopped ends with exit code 0 and a `result`; only `abort` gives it away. */
export class CopilotDialect implements OutputDialect {
  #turns = 0;
  #stopReason: string | null = null;
  #hasFailed = false;
  #hasEnded = false;
  /** It was waiting for its next try. */
  #openRetry: RetryEvent | null = null;

  readonly recognizes = ({ type, timestamp }: JsonRecord): boolean =>
    typeof timestamp === "string" && typeof type === "string" && TYPE.test(type);

  readReport = readCopilotReport;
  readStderr = readCopilotStderr;

  readRecord(record: JsonRecord): readonly LogEvent[] {
    const data = asRecord(record.data);
    switch (record.type) {
      case "result":
        return this.#readResult(record);
      case "assistant.turn_start":
        this.#turns += 1;
        return NO_EVENTS;
      case "session.error":
        this.#hasFailed = true;
        return [readError(data, asTimestamp(record.timestamp))];
      case "abort":
        this.#hasFailed = true;
        this.#stopReason = asName(data.reason) ?? "abort";
        return this.#explainAbort(asTimestamp(record.timestamp));
      default:
        return this.#note(readEvent(record.type, data, record.timestamp));
    }
  }

  #note(events: readonly LogEvent[]): readonly LogEvent[] {
    for (const event of events)
      if (event.kind !== "init") this.#openRetry = event.kind === "retry" ? event : null;
    return events;
  }

  /** A `result` follows, as after any other end: without this the failure would count as overcome. */
  #explainAbort(at: string | null): readonly LogEvent[] {
    if (this.#openRetry === null) return NO_EVENTS;
    return [errorEvent(this.#openRetry.reason, this.#openRetry.message, at)];
  }

  /** Stopped, it sometimes dies of its own clearing up before it can print a `result`. */
  finish(): readonly LogEvent[] {
    if (this.#hasEnded || this.#stopReason === null) return NO_EVENTS;
    return [finalEvent({ isSuccess: false, stopReason: this.#stopReason, turns: this.#turns })];
  }

  #readResult(record: JsonRecord): LogEvent[] {
    this.#hasEnded = true;
    const at = asTimestamp(record.timestamp);
    const { codeChanges, sessionDurationMs } = asRecord(record.usage);
    const files = asList(asRecord(codeChanges).filesModified);
    return [
      initEvent({ at, sessionId: asName(record.sessionId) }),
      finalEvent({
        at,
        isSuccess: record.exitCode === 0 && !this.#hasFailed,
        stopReason: this.#stopReason,
        turns: this.#turns,
        durationMs: asAmount(sessionDurationMs),
        filesChanged: files.flatMap((path) => asName(path) ?? []),
      }),
    ];
  }
}

function readEvent(type: unknown, data: JsonRecord, timestamp: unknown): readonly LogEvent[] {
  switch (type) {
    case "assistant.message_delta":
      return [answerDelta(asText(data.deltaContent) ?? "")];
    case "assistant.reasoning_delta":
      return [readThought(data)];
    case "user.message":
      return [readPrompt(data, asTimestamp(timestamp))];
    case "assistant.message":
      return readMessage(data, asTimestamp(timestamp));
    case "tool.execution_start":
      return readStart(data, asTimestamp(timestamp));
    case "tool.execution_complete":
      return readComplete(data, asTimestamp(timestamp));
    case "model.call_start":
    case "session.tools_updated":
      return typeof data.model === "string" ? [initEvent({ model: data.model })] : NO_EVENTS;
    case "model.call_failure":
      return [readRetry(data, asTimestamp(timestamp))];
    default:
      return NO_EVENTS;
  }
}

const readThought = (data: JsonRecord): LogEvent => ({
  kind: "delta",
  channel: "thinking",
  text: asText(data.deltaContent) ?? "",
  at: null,
  parent: null,
});

const readPrompt = (data: JsonRecord, at: string | null): LogEvent => ({
  kind: "message",
  role: "user",
  content: asText(data.content) ?? "",
  at,
  parent: asName(data.parentToolCallId),
  isStreamed: false,
});

function readMessage(data: JsonRecord, at: string | null): LogEvent[] {
  const message = {
    ...assistantMessage(asText(data.content) ?? "", at),
    parent: asName(data.parentToolCallId),
  };
  const calls = asList(data.toolRequests).flatMap((request) => {
    const { toolCallId, name, arguments: given } = asRecord(request);
    return describeCall(asName(toolCallId), asName(name), given);
  });
  return [message, ...calls];
}

function describeCall(
  id: string | null,
  name: string | null,
  given: unknown,
  at: string | null = null,
): LogEvent[] {
  if (id === null || name === null) return [];
  return [{ kind: "tool_call", id, name, arguments: given ?? null, at }];
}

const readStart = (data: JsonRecord, at: string | null): LogEvent[] =>
  describeCall(asName(data.toolCallId), asName(data.toolName), data.arguments, at);

/** `success` says that the tool ran; the command's own exit code is beside it. */
function readComplete(data: JsonRecord, at: string | null): readonly LogEvent[] {
  const id = asName(data.toolCallId);
  if (id === null) return NO_EVENTS;
  const { exitCode } = asRecord(data.shellExecution);
  const success = asFlag(data.success);
  const error = asRecord(data.error);
  const hasFailed = success === false || (typeof exitCode === "number" && exitCode !== 0);
  return [
    {
      kind: "tool_result",
      id,
      result: asText(asRecord(data.result).content) ?? asName(error.message),
      isError: success === null && !hasFailed ? null : hasFailed,
      durationMs: null,
      permission: /denied|reject/.test(asText(error.code) ?? "") ? "denied" : null,
      at,
    },
  ];
}

function readRetry(data: JsonRecord, at: string | null): LogEvent {
  const status = asCount(data.statusCode);
  const message = asName(data.errorMessage) ?? "the request failed";
  const reason = classifyFailure({ status, word: asName(data.errorCode), text: message });
  return { kind: "retry", reason, message, attempt: asCount(data.retryAttempt), at };
}

function readError(data: JsonRecord, at: string | null): LogEvent {
  const message = asName(data.message) ?? "the session failed";
  const status = asCount(data.statusCode);
  const reason = classifyFailure({ status, word: asName(data.errorType), text: message });
  return errorEvent(reason, message, at);
}

// Copilot's token figures: in a file it writes when asked, and rounded in the last lines of text mode.

/** Input has the cache in it, output the reasoning. */
function readCopilotReport(text: string): readonly LogEvent[] {
  const models = Object.values(asRecord(asRecord(parseJson(text)).modelMetrics));
  const figures = sumUsage(models.map(readModel));
  return figures === null ? NO_EVENTS : [usageEvent(figures)];
}

function readModel(model: unknown): UsageFigures {
  const usage = asRecord(asRecord(model).usage);
  return {
    input: asCount(usage.inputTokens),
    output: asCount(usage.outputTokens),
    cacheRead: asCount(usage.cacheReadTokens),
    cacheWrite: asCount(usage.cacheWriteTokens),
    reasoning: asCount(usage.reasoningTokens),
  };
}

const usageEvent = (figures: UsageFigures): LogEvent => ({
  kind: "usage",
  figures,
  costUsd: null,
  scope: "run",
  at: null,
});

const TOKENS =
  /^Tokens\s+↑ ([\d.,]+[km]?)(?: \(([\d.,]+[km]?) cached\))?.*?↓ ([\d.,]+[km]?)(?: \(([\d.,]+[km]?) reasoning\))?/m;
const RESUME = /^Resume\s+copilot --resume=(\S+)/m;
const FAILED = /^.*\bfailed\b.*\(HTTP \d{3}\).*$/m;

/** What text mode prints behind the answer. */
function readCopilotStderr(text: string, format: "structured" | "text"): readonly LogEvent[] {
  if (format === "structured") return NO_EVENTS;
  const events: LogEvent[] = [];
  const tokens = TOKENS.exec(text);
  const session = RESUME.exec(text)?.[1];
  const failure = FAILED.exec(text)?.[0];
  if (tokens !== null) events.push(usageEvent(readTokens(tokens)));
  if (session !== undefined) events.push(initEvent({ sessionId: session }));
  if (failure !== undefined)
    events.push(errorEvent(classifyFailure({ text: failure }), failure.trim()));
  return events;
}

const readTokens = ([, input, cached, output, reasoning]: RegExpExecArray): UsageFigures => ({
  input: exactCount(input),
  output: exactCount(output),
  cacheRead: exactCount(cached),
  cacheWrite: null,
  reasoning: exactCount(reasoning),
});

/** `1.1k` is not a figure but a hint at one. */
const exactCount = (written: string | undefined): number | null =>
  written !== undefined && /^[\d,]+$/.test(written) ? Number(written.replaceAll(",", "")) : null;
