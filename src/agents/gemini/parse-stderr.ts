// Gemini CLI's stderr is noisy, but it has what stdout leaves out.
import { classifyFailure, type ErrorReason } from "../error-codes.ts";
import { isRecord } from "../json-fields.ts";
import { type LogEvent, NO_EVENTS } from "../log-event.ts";
import { isDocument, readDocument } from "./parse-document.ts";

const ATTEMPT = /^Attempt (\d+) failed with status (\d{3})/gm;
const STATUS = /\bstatus: (\d{3})\b/;

export function reasonOfStderr(text: string): ErrorReason {
  const status = [...text.matchAll(ATTEMPT)].at(-1)?.[2] ?? STATUS.exec(text)?.[1];
  return classifyFailure({ status: status === undefined ? null : Number(status), text });
}

/** A run that ended while it waited for its next try. */
export function readLastAttempt(text: string): readonly LogEvent[] {
  const last = [...text.matchAll(ATTEMPT)].at(-1);
  if (last === undefined) return NO_EVENTS;
  const message = `the request failed (HTTP ${last[2]})`;
  const reason = classifyFailure({ status: Number(last[2]) });
  return [{ kind: "retry", reason, message, attempt: Number(last[1]), at: null }];
}

/** A failed `json` run leaves stdout empty and prints its object at the end of stderr. */
export function readStderrDocument(text: string): readonly LogEvent[] {
  const start = text.lastIndexOf("\n{\n");
  if (start < 0) return NO_EVENTS;
  try {
    const value: unknown = JSON.parse(text.slice(start));
    return isRecord(value) && isDocument(value) ? readDocument(value) : NO_EVENTS;
  } catch {
    return NO_EVENTS;
  }
}
