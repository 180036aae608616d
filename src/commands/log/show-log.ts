// Showing the log: a short one as the result, a long one or a followed one as it is read.
import { setImmediate as breathe, setTimeout as pause } from "node:timers/promises";
import type { CommandContext } from "../../command/context.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import type { StoredEvent } from "../../dispatch/event.ts";
import type { AuditStore, EventFilter } from "../../storage/stores.ts";
import { formatEvent } from "./event-line.ts";

export interface Showing {
  readonly audit: AuditStore;
  readonly filter: EventFilter;
  readonly json: boolean;
  readonly context: CommandContext;
}

/** More than this many are not held at once where they can be shown as they come. */
const MOST_HELD = 1_000;
const POLL_MS = 100;

const lineOf = (event: StoredEvent, json: boolean): string =>
  `${json ? JSON.stringify(event) : formatEvent(event)}\n`;

export async function showLog(showing: Showing): Promise<CommandResult> {
  const { audit, filter, json, context } = showing;
  const canStream = context.mode === "cli" || context.mode === "console";
  const held: StoredEvent[] = [];
  const events = audit.read(filter)[Symbol.iterator]();
  for (let next = events.next(); next.done !== true; next = events.next()) {
    held.push(next.value);
    if (held.length % MOST_HELD !== 0) continue;
    if (canStream) return streamRest(showing, held, { [Symbol.iterator]: () => events });
    await breathe();
  }
  const output = held.map((event) => lineOf(event, json)).join("");
  const metadata = { count: held.length, streamed: false, events: held };
  return ok(output === "" && !json ? "nothing is recorded that fits" : output, metadata);
}

async function streamRest(
  showing: Showing,
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

const CHUNK = 64 * 1024;

async function writeEvents(
  { json, context }: Showing,
  events: Iterable<StoredEvent>,
): Promise<Written> {
  let chunk = "";
  let count = 0;
  let lastSeq = 0;
  for (const event of events) {
    context.signal.throwIfAborted();
    chunk += lineOf(event, json);
    count += 1;
    lastSeq = event.seq;
    if (chunk.length < CHUNK) continue;
    await context.write(chunk);
    chunk = "";
    // Reading and writing a file never wait: without this nobody could interrupt.
    await breathe();
  }
  if (chunk !== "") await context.write(chunk);
  return { count, lastSeq };
}

/** Until the signal fires, which is the one way this ends. */
export async function followLog(showing: Showing): Promise<CommandResult> {
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
    await waitFor(POLL_MS, context.signal);
  }
  return ok("", { count, streamed: true, events: null });
}

function newestSeq(audit: AuditStore): number {
  const [newest] = audit.read({ last: 1 });
  return newest?.seq ?? 0;
}

async function waitFor(durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(durationMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
