// What an agent says between a prompt and its answer to it.
import { classifyFailure } from "../log/error-reasons.ts";
import {
  answerDelta,
  errorEvent,
  finalEvent,
  type LogEvent,
  NO_EVENTS,
  type ToolResultEvent,
} from "../log/event.ts";
import {
  asAmount,
  asCount,
  asList,
  asName,
  asRecord,
  asText,
  type JsonRecord,
} from "../log/json-fields.ts";
import {
  addTokens,
  sumUsage,
  UNKNOWN_USAGE,
  type UsageFigures,
  withCache,
  withReasoning,
} from "../log/usage.ts";

/** How a turn ended that was not simply done. */
const FAILED_STOPS: ReadonlyMap<string, LogEvent> = new Map([
  ["refusal", errorEvent("REFUSED", "the agent refused to go on")],
  ["max_turn_requests", errorEvent("MAX_TURNS", "the agent reached its limit of turns")],
  ["max_tokens", errorEvent("ABORTED", "the answer was cut: the limit of tokens was reached")],
  ["cancelled", errorEvent("ABORTED", "the agent's turn was cancelled")],
]);

export class AcpTurn {
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

interface TurnEnd {
  /** The agent by its own name. */
  readonly agent: string | null;
  /** It was asked to stop, and why is known elsewhere. */
  readonly isCancelled: boolean;
}

interface KnownCall {
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  readonly input: JsonRecord;
  readonly path: string | null;
  readonly isEmitted: boolean;
  readonly isOver: boolean;
  readonly permission: ToolResultEvent["permission"];
}

const UNKNOWN_CALL: KnownCall = {
  name: "",
  title: "",
  kind: "other",
  input: {},
  path: null,
  isEmitted: false,
  isOver: false,
  permission: null,
};

/**
 * Tool calls as they take shape: agents announce them empty and fill them in later, or only mention
 * them when they ask for permission. A call is handed on when it starts, with all that is known.
 */
class ToolCalls {
  readonly #calls = new Map<string, KnownCall>();

  /** What a call may be called in a list of allowed tools: its kind, and the agent's own name for it. */
  namesOf(id: string): string[] {
    const { name, kind } = this.#calls.get(id) ?? UNKNOWN_CALL;
    return [kind, name].filter((word) => word !== "");
  }

  notePermission(id: string, isAllowed: boolean): void {
    const permission = isAllowed ? "allowed" : "denied";
    this.#calls.set(id, { ...(this.#calls.get(id) ?? UNKNOWN_CALL), permission });
  }

  update(update: JsonRecord): LogEvent[] {
    const id = asName(update.toolCallId);
    if (id === null) return [];
    const known = mergeCall(this.#calls.get(id) ?? UNKNOWN_CALL, update);
    const { status } = update;
    const isOver = status === "completed" || status === "failed";
    const starts = !known.isEmitted && (status === "in_progress" || isOver);
    this.#calls.set(id, { ...known, isEmitted: known.isEmitted || starts, isOver });
    return [
      ...(starts ? [describeCall(id, known)] : []),
      ...(isOver ? [describeResult(id, known, update)] : []),
    ];
  }

  /** Gemini CLI 0.61.0 says no more of a call that it was denied. */
  endDenied(): LogEvent[] {
    const denied = [...this.#calls].filter(
      ([, { permission, isOver }]) => permission === "denied" && !isOver,
    );
    return denied.map(([id]) => ({ ...NO_RESULT, id, permission: "denied" }));
  }
}

const NO_RESULT = {
  kind: "tool_result",
  result: null,
  isError: null,
  durationMs: null,
  at: null,
} as const;

function mergeCall(known: KnownCall, update: JsonRecord): KnownCall {
  const input = asRecord(update.rawInput);
  const { toolName: ownName, claudeCode } = asRecord(update._meta);
  const toolName = asName(ownName) ?? asName(asRecord(claudeCode).toolName);
  return {
    ...known,
    name: toolName ?? known.name,
    title: asName(update.title) ?? known.title,
    kind: asName(update.kind) ?? known.kind,
    input: Object.keys(input).length > 0 ? input : known.input,
    path: findPath(update) ?? known.path,
  };
}

function findPath({ content, locations }: JsonRecord): string | null {
  const parts = [...asList(content), ...asList(locations)].map((part) =>
    asName(asRecord(part).path),
  );
  return parts.find((path) => path !== null) ?? null;
}

/** The protocol has no names for tools: the agent's own where it tells one, else the kind. */
function describeCall(id: string, { name, title, kind, input, path }: KnownCall): LogEvent {
  const isEmpty = Object.keys(input).length === 0;
  const shown = path === null || kind === "execute" ? { title } : { title, path };
  return {
    kind: "tool_call",
    id,
    name: name || kind,
    arguments: isEmpty ? shown : input,
    at: null,
  };
}

function describeResult(id: string, known: KnownCall, update: JsonRecord): ToolResultEvent {
  const exitCode = findExitCode(asRecord(update.rawOutput));
  const hasFailed = update.status === "failed" || (exitCode !== null && exitCode !== 0);
  // "completed" says that a command ran; only an exit code says how it went.
  const isOpen = !hasFailed && known.kind === "execute" && exitCode === null;
  return {
    kind: "tool_result",
    id,
    result: readContent(update.content) ?? asText(asRecord(update.rawOutput).output),
    isError: isOpen ? null : hasFailed,
    durationMs: null,
    permission: known.permission,
    at: null,
  };
}

function findExitCode(output: JsonRecord): number | null {
  const places = [output, asRecord(output.metadata), ...asList(output.contents).map(asRecord)];
  const codes = places.flatMap(({ exitCode, exit }) => [exitCode, exit]);
  return codes.find((code) => typeof code === "number") ?? null;
}

function readContent(content: unknown): string | null {
  const parts = asList(content).map((part) => {
    const { type, content: inner, path } = asRecord(part);
    const text = asText(asRecord(inner).text);
    return (
      text ?? (type === "diff" ? `[diff of ${asName(path) ?? "a file"}]` : `[${String(type)}]`)
    );
  });
  return parts.length === 0 ? null : parts.join("\n");
}

// opencode 1.18.33 gives the figures of its last step as if they were the whole prompt's.
const LAST_STEP_ONLY: ReadonlySet<string> = new Set(["OpenCode"]);

/**
 * Figures of a prompt's result. Agents differ in whether cache and reasoning are in input and output or
 * beside them; the total tells which, and where it fits neither the figures are not taken.
 */
function readUsage(result: JsonRecord, agent: string | null): UsageFigures {
  if (agent !== null && LAST_STEP_ONLY.has(agent)) return UNKNOWN_USAGE;
  const quota = asRecord(asRecord(asRecord(result._meta).quota).token_count);
  // Gemini CLI 0.61.0 leaves the thoughts out of its output here.
  if (quota.input_tokens !== undefined)
    return { ...UNKNOWN_USAGE, input: asCount(quota.input_tokens) };
  return convertUsage(asRecord(result.usage));
}

export function convertUsage(usage: JsonRecord): UsageFigures {
  const figures: UsageFigures = {
    input: asCount(usage.inputTokens),
    output: asCount(usage.outputTokens),
    cacheRead: asCount(usage.cachedReadTokens),
    cacheWrite: asCount(usage.cachedWriteTokens),
    reasoning: asCount(usage.thoughtTokens),
  };
  const total = asCount(usage.totalTokens);
  if (total === null || total === addTokens(figures.input, figures.output)) return figures;
  const apart = withReasoning(withCache(figures));
  return total === addTokens(apart.input, apart.output) ? apart : UNKNOWN_USAGE;
}

/** What the session has cost so far, in dollars. */
function readCost(update: JsonRecord): number | null {
  const { amount, currency } = asRecord(update.cost);
  return currency === "USD" ? asAmount(amount) : null;
}
