// `--output-format json`: one object with the answer and the figures, or with an error.
import { classifyFailure } from "../error-codes.ts";
import { asCount, asName, asRecord, asText, isRecord, type JsonRecord } from "../json-fields.ts";
import { errorEvent, finalEvent, initEvent, type LogEvent } from "../log-event.ts";
import { addTokens } from "../usage.ts";
import { readDocumentUsage } from "./usage.ts";

export const isDocument = (record: JsonRecord): boolean =>
  record.type === undefined &&
  typeof record.session_id === "string" &&
  ((typeof record.response === "string" && isRecord(record.stats)) || isRecord(record.error));

export function readDocument({ session_id, response, stats, error }: JsonRecord): LogEvent[] {
  const [model] = Object.keys(asRecord(asRecord(stats).models));
  const isSuccess = !isRecord(error);
  const text = asText(response);
  return [
    initEvent({ sessionId: asName(session_id), model: model ?? null }),
    ...(isRecord(stats) ? [readUsage(stats)] : []),
    ...(isSuccess ? [] : [describeError(error, null)]),
    finalEvent({ isSuccess, text, turns: readTurns(asRecord(asRecord(stats).models)) }),
  ];
}

const readUsage = (stats: JsonRecord): LogEvent => ({
  kind: "usage",
  figures: readDocumentUsage(stats),
  costUsd: null,
  scope: "run",
  at: null,
});

/** Requests that succeeded, over all models. */
function readTurns(models: JsonRecord): number | null {
  const counts = Object.values(models).map((model) => {
    const { totalRequests, totalErrors } = asRecord(asRecord(model).api);
    const requests = asCount(totalRequests);
    return requests === null ? null : requests - (asCount(totalErrors) ?? 0);
  });
  return counts.length === 0 ? null : addTokens(...counts);
}

/** Its `type` is "unknown" for nearly everything; the message holds the server's JSON. */
export function describeError({ message, code, type }: JsonRecord, at: string | null): LogEvent {
  const text = asName(message) ?? "the run failed";
  if (type === "FatalTurnLimitedError") return errorEvent("MAX_TURNS", text, at);
  return errorEvent(classifyFailure({ status: asCount(code), text }), text, at);
}
