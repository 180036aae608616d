// What Codex's app server tells of a turn becomes events of a log. It has no effects; one reads one turn.

import { asRecord, isRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { classifyFailure, type ErrorReason } from "../log/error-reasons.ts";
import { answerDelta, finalEvent, type LogEvent, NO_EVENTS } from "../log/event.ts";
import { asAmount, asName, asText } from "../log/json-fields.ts";
import {
  convertItemKeys,
  readCodexError,
  readCodexUsage,
  readCompletedItem,
  readStartedItem,
  toSnakeKeys,
} from "./parse.ts";

export class TurnReader {
  #lastError: string | null = null;
  /** All tokens of the thread, as last told. */
  #usedSoFar: unknown;

  constructor(usedBefore: unknown) {
    this.#usedSoFar = usedBefore;
  }

  get usedSoFar(): unknown {
    return this.#usedSoFar;
  }

  /** `params` are of the thread and the turn that is read. */
  read(method: string, params: JsonRecord): readonly LogEvent[] {
    switch (method) {
      case "item/started":
        return readStartedItem(convertItemKeys(asRecord(params.item)));
      case "item/completed":
        return readCompletedItem(convertItemKeys(asRecord(params.item)));
      case "item/agentMessage/delta":
        return [answerDelta(asText(params.delta) ?? "")];
      case "thread/tokenUsage/updated":
        return this.#readUsage(asRecord(params.tokenUsage));
      case "error":
        return this.#readError(asRecord(params.error));
      case "turn/completed":
        return this.#end(asRecord(params.turn));
      default:
        return NO_EVENTS;
    }
  }

  /** The figures of one request to the model; they are told again when anything beside them changes. */
  #readUsage({ total, last }: JsonRecord): readonly LogEvent[] {
    const { totalTokens } = asRecord(total);
    if (totalTokens === this.#usedSoFar) return NO_EVENTS;
    this.#usedSoFar = totalTokens;
    return [readCodexUsage(toSnakeKeys(asRecord(last)))];
  }

  #readError(error: JsonRecord): readonly LogEvent[] {
    const message = asText(error.message) ?? "the turn failed";
    // A failure is told when it happens and once more at the end of the turn.
    if (message === this.#lastError) return NO_EVENTS;
    this.#lastError = message;
    return [readCodexError(message, findReason(error))];
  }

  #end({ status, error, durationMs }: JsonRecord): readonly LogEvent[] {
    const final = finalEvent({
      isSuccess: status === "completed",
      stopReason: status === "completed" ? null : asName(status),
      durationMs: asAmount(durationMs),
    });
    return isRecord(error) ? [...this.#readError(error), final] : [final];
  }
}

/** Codex's own words for what went wrong; where it knows the status of the model's server, that says more. */
const REASONS: Readonly<Record<string, ErrorReason>> = {
  usageLimitExceeded: "RATE_LIMIT",
  rateLimitExceeded: "RATE_LIMIT",
  serverOverloaded: "OVERLOADED",
  flexUnavailable: "OVERLOADED",
  policyCapacityUnavailable: "OVERLOADED",
  internalServerError: "OVERLOADED",
  unauthorized: "AUTH_FAILED",
  modelNotFound: "INVALID_CONFIG",
  sessionBudgetExceeded: "MAX_TURNS",
  cyberPolicy: "REFUSED",
  misalignmentPolicyViolation: "REFUSED",
  httpConnectionFailed: "NETWORK",
  responseStreamConnectionFailed: "NETWORK",
  responseStreamDisconnected: "NETWORK",
};

function findReason({ codexErrorInfo: info, message, additionalDetails }: JsonRecord) {
  const [word = "", facts] = isRecord(info)
    ? (Object.entries(info)[0] ?? [])
    : [asText(info) ?? ""];
  const { httpStatusCode: status } = asRecord(facts);
  const text = [message, additionalDetails].filter((part) => typeof part === "string").join(" ");
  const bySigns = classifyFailure({ status: typeof status === "number" ? status : null });
  if (bySigns !== "UNKNOWN") return bySigns;
  return (Object.hasOwn(REASONS, word) ? REASONS[word] : undefined) ?? classifyFailure({ text });
}
