// One event as one line for a person.
import type { JsonValue } from "../../command/session-access.ts";
import { plainLine } from "../../command/text-columns.ts";
import { EVENT_TYPES, type StoredEvent } from "../../dispatch/event.ts";
import { formatTime } from "../local-time.ts";

const TYPE_WIDTH = Math.max(...EVENT_TYPES.map((type) => type.length));
const SHORT_ID = 8;

/** Local time, type, what happened, and the beginning of the correlation. */
export function formatEvent(event: StoredEvent): string {
  const milliseconds = event.time.slice(20, 23);
  const what = plainLine([describeAgent(event), describeEvent(event)].filter(Boolean).join(" "));
  return [
    `${formatTime(event.time)}.${milliseconds}`,
    event.type.padEnd(TYPE_WIDTH),
    event.correlationId.slice(0, SHORT_ID).padEnd(SHORT_ID),
    what,
  ]
    .join("  ")
    .trimEnd();
}

const describeAgent = ({ origin }: StoredEvent): string =>
  origin.agent === undefined ? "" : `[${origin.agent}]`;

function describeEvent({ type, data }: StoredEvent): string {
  switch (type) {
    case "CommandDispatched":
      return [text(data.name), describeArguments(data.args ?? null)].filter(Boolean).join(" ");
    case "CommandResulted":
      return `${text(data.name)} ${describeOutcome(data.outcome ?? null)}`;
    case "ModelChanged":
    case "ProviderChanged":
      return `${text(data.from)} → ${text(data.to)}`;
    case "ParamsChanged":
      return `${text(data.paramPath)} ${describeDelta(data.redactedDelta ?? null)}`;
    case "CommandUnknown":
      return text(data.name);
    default:
      return listFields(data);
  }
}

const text = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const isRecord = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listFields = (fields: { readonly [key: string]: JsonValue }): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key}=${text(value)}`)
    .join(" ");

function describeArguments(args: JsonValue): string {
  if (isRecord(args)) return listFields(args);
  return args === null ? "" : [args].flat().map(text).join(" ");
}

function describeOutcome(outcome: JsonValue): string {
  if (!isRecord(outcome)) return "";
  const { kind, exitCode, class: faultClass, code, durationMs } = outcome;
  const reason = typeof code === "string" ? ` ${text(faultClass)}/${code}` : "";
  return `${text(kind)} ${text(exitCode)}${reason} ${formatDuration(durationMs)}`.trimEnd();
}

function formatDuration(durationMs: JsonValue | undefined): string {
  if (typeof durationMs !== "number") return "";
  if (durationMs < 1_000) return `${durationMs.toFixed(1)} ms`;
  return `${(durationMs / 1_000).toFixed(2)} s`;
}

const describeDelta = (delta: JsonValue): string =>
  isRecord(delta) ? `${text(delta.from)} → ${text(delta.to)}` : "";
