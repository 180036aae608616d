// Showing the log: a short one as the result, a long one or a followed one as it is read.

import { setImmediate as breathe } from "node:timers/promises";
import { waitUnlessAborted } from "../../command/cancellation.ts";
import type { CommandContext, JsonValue } from "../../command/context.ts";
import { EVENT_TYPES, type StoredEvent } from "../../command/event.ts";
import { suggestNames } from "../../command/names.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { isJsonObject, textOrJson } from "../../project/json-value.ts";
import type { AuditStore, EventFilter } from "../../store/stores.ts";
import { formatLocalTime } from "../../terminal/render.ts";
import { plainLine } from "../../terminal/text-columns.ts";

interface LogView {
  readonly audit: AuditStore;
  readonly filter: EventFilter;
  readonly json: boolean;
  readonly context: CommandContext;
  /** What may be meant by names of the filter that nothing has; asked for where nothing fits. */
  listMeant(): Promise<readonly string[]>;
}

/** More than this many are not held at once where they can be shown as they come. */
const MAX_HELD = 1_000;
const POLL_MS = 100;

const formatLogLine = (event: StoredEvent, json: boolean): string =>
  `${json ? JSON.stringify(event) : formatEvent(event)}\n`;

export async function showLog(showing: LogView): Promise<CommandResult> {
  const { audit, filter, json, context } = showing;
  const canStream = context.mode === "cli" || context.mode === "console";
  const held: StoredEvent[] = [];
  const events = audit.read(filter)[Symbol.iterator]();
  for (let next = events.next(); next.done !== true; next = events.next()) {
    held.push(next.value);
    if (held.length % MAX_HELD !== 0) continue;
    if (canStream) return streamRest(showing, held, { [Symbol.iterator]: () => events });
    await breathe();
  }
  const output = held.map((event) => formatLogLine(event, json)).join("");
  const metadata = { count: held.length, streamed: false, events: held };
  if (output !== "" || json) return ok(output, metadata);
  return ok(`nothing is recorded that fits${suggestNames(await showing.listMeant())}`, metadata);
}

async function streamRest(
  showing: LogView,
  held: readonly StoredEvent[],
  rest: Iterable<StoredEvent>,
): Promise<CommandResult> {
  const first = await writeEvents(showing, held);
  const second = await writeEvents(showing, rest);
  return ok("", { count: first.count + second.count, streamed: true, events: null });
}

interface Written {
  readonly count: number;
  readonly lastSeq: number;
}

const CHUNK_LENGTH = 64 * 1024;

async function writeEvents(
  { json, context }: LogView,
  events: Iterable<StoredEvent>,
): Promise<Written> {
  let chunk = "";
  let count = 0;
  let lastSeq = 0;
  for (const event of events) {
    context.signal.throwIfAborted();
    chunk += formatLogLine(event, json);
    count += 1;
    lastSeq = event.seq;
    if (chunk.length < CHUNK_LENGTH) continue;
    await context.write(chunk);
    chunk = "";
    // Reading and writing a file never wait: without this nobody could interrupt.
    await breathe();
  }
  if (chunk !== "") await context.write(chunk);
  return { count, lastSeq };
}

/** Until the signal fires, which is the one way this ends. */
export async function followLog(showing: LogView): Promise<CommandResult> {
  const { audit, context } = showing;
  const { last, ...filter } = showing.filter;
  let sinceSeq = 0;
  let count = 0;
  let next: EventFilter = last === undefined ? filter : { ...filter, last };
  while (!context.signal.aborted) {
    // Taken before reading: what does not fit the filter need not be looked at again.
    const newest = newestSeq(audit);
    const written = await writeEvents(showing, audit.read(next));
    count += written.count;
    sinceSeq = Math.max(sinceSeq, newest, written.lastSeq);
    next = { ...filter, sinceSeq };
    await waitUnlessAborted(POLL_MS, context.signal);
  }
  return ok("", { count, streamed: true, events: null });
}

function newestSeq(audit: AuditStore): number {
  const [newest] = audit.read({ last: 1 });
  return newest?.seq ?? 0;
}

// One event as one line for a person.

const TYPE_WIDTH = Math.max(...EVENT_TYPES.map((type) => type.length));
const SHORT_ID = 8;

/** Local time, type, what happened, and the beginning of the correlation. */
export function formatEvent(event: StoredEvent): string {
  const milliseconds = event.time.slice(20, 23);
  const what = plainLine([describeAgent(event), describeEvent(event)].filter(Boolean).join(" "));
  return [
    `${formatLocalTime(event.time)}.${milliseconds}`,
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
      return [showValue(data.name), describeArguments(data.args ?? null)].filter(Boolean).join(" ");
    case "CommandResulted":
      return `${showValue(data.name)} ${describeOutcome(data.outcome ?? null)}`;
    case "ModelChanged":
    case "ProviderChanged":
      return `${showValue(data.from)} → ${showValue(data.to)}`;
    case "ParamsChanged":
      return `${showValue(data.paramPath)} ${describeDelta(data.redactedDelta ?? null)}`;
    case "CommandUnknown":
      return showValue(data.name);
    default:
      return listFields(data);
  }
}

const showValue = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return "–";
  return textOrJson(value);
};

const listFields = (fields: { readonly [key: string]: JsonValue }): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key}=${showValue(value)}`)
    .join(" ");

function describeArguments(args: JsonValue): string {
  if (isJsonObject(args)) return listFields(args);
  return args === null ? "" : [args].flat().map(showValue).join(" ");
}

function describeOutcome(outcome: JsonValue): string {
  if (!isJsonObject(outcome)) return "";
  const { kind, exitCode, class: faultClass, code, durationMs } = outcome;
  const reason = typeof code === "string" ? ` ${showValue(faultClass)}/${code}` : "";
  return `${showValue(kind)} ${showValue(exitCode)}${reason} ${formatDuration(durationMs)}`.trimEnd();
}

function formatDuration(durationMs: JsonValue | undefined): string {
  if (typeof durationMs !== "number") return "";
  if (durationMs < 1_000) return `${durationMs.toFixed(1)} ms`;
  return `${(durationMs / 1_000).toFixed(2)} s`;
}

const describeDelta = (delta: JsonValue): string =>
  isJsonObject(delta) ? `${showValue(delta.from)} → ${showValue(delta.to)}` : "";
