// What the words of `adj log` ask for, as a filter of the store.
import type { EventType } from "../../command/event.ts";
import { fault, misuse } from "../../command/fault.ts";
import { parseDuration } from "../../command/time.ts";
import type { AuditStore, EventFilter } from "../../store/stores.ts";

interface LogWords {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly type: readonly EventType[];
  readonly session?: string | undefined;
  readonly command?: string | undefined;
  readonly agent?: string | undefined;
  readonly correlation?: string | undefined;
  readonly last?: number | undefined;
}

const DEFAULT_LAST = 50;

/** Without a time or a count, the newest few. */
export function decideFilter(words: LogWords, now: Date): EventFilter {
  const { since, until, type, session, command, agent, correlation } = words;
  const isBounded = since !== undefined || until !== undefined || correlation !== undefined;
  const last = words.last ?? (isBounded ? undefined : DEFAULT_LAST);
  return {
    ...(since === undefined ? {} : { since: requireMoment("since", since, now) }),
    ...(until === undefined ? {} : { until: requireMoment("until", until, now) }),
    ...(type.length === 0 ? {} : { types: type }),
    ...(session === undefined ? {} : { sessionId: session }),
    ...(command === undefined ? {} : { command }),
    ...(agent === undefined ? {} : { agent }),
    ...(correlation === undefined ? {} : { correlationId: correlation }),
    ...(last === undefined ? {} : { last }),
  };
}

function requireMoment(flag: string, text: string, now: Date): string {
  const moment = readMoment(text, now);
  if (moment !== null) return moment.toISOString();
  throw misuse(
    "log",
    `\`--${flag}\` is a duration like \`2h\` or a time like \`2026-11-05T14:00\``,
  );
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * `2h` is so long ago, `2026-11-05` the beginning of that day here, `2026-11-05T14:00` that moment
 * (here, unless it names a zone). Null for anything else.
 */
export function readMoment(text: string, now: Date): Date | null {
  const ago = parseDuration(text);
  if (ago !== null) return new Date(now.getTime() - ago);
  if (DAY.test(text)) return validDate(`${text}T00:00`);
  return MOMENT.test(text) ? validDate(text.replace(" ", "T")) : null;
}

function validDate(text: string): Date | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The log shows the beginning of a correlation; that much is enough to ask for it. */
const MIN_CORRELATION_LENGTH = 4;
/** How far back a beginning is looked for. */
const MAX_SEARCHED = 100_000;

export function findCorrelation(audit: AuditStore, typed: string): string {
  const [exact] = audit.read({ correlationId: typed, last: 1 });
  if (exact !== undefined || typed.length < MIN_CORRELATION_LENGTH) return typed;
  const found = new Set<string>();
  for (const { correlationId } of audit.read({ last: MAX_SEARCHED }))
    if (correlationId.startsWith(typed)) found.add(correlationId);
  const [first = typed, ...others] = found;
  if (others.length === 0) return first;
  throw fault(
    "InputInvalid",
    { what: `\`${typed}\``, problem: `${found.size} correlations begin with it` },
    { hint: `give more of it: ${[...found].slice(0, 3).join(", ")}` },
  );
}
