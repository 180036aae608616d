// What the words of `adj log` ask for, as a filter of the store.
import { misuse } from "../../command/misuse.ts";
import type { EventType } from "../../dispatch/event.ts";
import type { EventFilter } from "../../storage/stores.ts";
import { readMoment } from "./time-window.ts";

export interface LogWords {
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

export function requireMoment(flag: string, text: string, now: Date): string {
  const moment = readMoment(text, now);
  if (moment !== null) return moment.toISOString();
  throw misuse(
    "log",
    `\`--${flag}\` is a duration like \`2h\` or a time like \`2026-11-05T14:00\``,
  );
}
