// In text mode Codex prints the answer alone on stdout and all else on stderr.
import { classifyFailure } from "../error-codes.ts";
import { errorEvent, initEvent, type LogEvent, NO_EVENTS } from "../log-event.ts";

const VERSION = /^OpenAI Codex v(\S+)/;
const FIELD = /^(model|provider|session id|workdir): (.+)$/;
const ERROR = /^ERROR: (?!Reconnecting)(.+)$/;

/** The header between its two rules, and the errors; "tokens used" counts something else and is left. */
export function readCodexStderr(text: string, format: "structured" | "text"): readonly LogEvent[] {
  if (format === "structured") return NO_EVENTS;
  const lines = text.split("\n");
  const start = lines.findIndex((line) => VERSION.test(line));
  const header = start < 0 ? [] : lines.slice(start, start + 12);
  const fields = new Map(
    header.map((line) => FIELD.exec(line)).map((found) => [found?.[1], found?.[2]]),
  );
  return [
    initEvent({
      agentVersion: VERSION.exec(lines[start] ?? "")?.[1] ?? null,
      model: fields.get("model") ?? null,
      provider: fields.get("provider") ?? null,
      sessionId: fields.get("session id") ?? null,
      workingDirectory: fields.get("workdir") ?? null,
    }),
    ...lines.flatMap((line): LogEvent[] => {
      const message = ERROR.exec(line)?.[1];
      return message === undefined ? [] : [errorEvent(classifyFailure({ text: message }), message)];
    }),
  ];
}
