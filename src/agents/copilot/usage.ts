// Copilot's token figures: in a file it writes when asked, and rounded in the last lines of text mode.
import { classifyFailure } from "../error-codes.ts";
import { asCount, asRecord, isRecord } from "../json-fields.ts";
import { errorEvent, initEvent, type LogEvent, NO_EVENTS } from "../log-event.ts";
import { sumUsage, type UsageFigures } from "../usage.ts";

/** Input has the cache in it, output the reasoning. */
export function readCopilotReport(text: string): readonly LogEvent[] {
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

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const TOKENS =
  /^Tokens\s+↑ ([\d.,]+[km]?)(?: \(([\d.,]+[km]?) cached\))?.*?↓ ([\d.,]+[km]?)(?: \(([\d.,]+[km]?) reasoning\))?/m;
const RESUME = /^Resume\s+copilot --resume=(\S+)/m;
const FAILED = /^.*\bfailed\b.*\(HTTP \d{3}\).*$/m;

/** What text mode prints behind the answer. */
export function readCopilotStderr(
  text: string,
  format: "structured" | "text",
): readonly LogEvent[] {
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
