// Numbers and times as a person reads them, the same on every machine.

export const UNKNOWN = "unknown";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `formatDuration(83_000)` is `1 min 23 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return "under 1 ms";
  if (milliseconds < SECOND) return `${Math.floor(milliseconds)} ms`;
  const tenths = Math.floor(milliseconds / 100) / 10;
  if (milliseconds < MINUTE) return `${tenths.toFixed(1)} s`;
  const seconds = Math.floor(milliseconds / SECOND);
  if (milliseconds < HOUR) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${groupDigits(Math.floor(seconds / 3600))} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** By hand where it can be: the first `toLocaleString` of a process takes 12 ms. */
export const groupDigits = (count: number): string =>
  Number.isSafeInteger(count)
    ? String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")
    : count.toLocaleString("en-US");

/** `countOf(2, "line")` is `2 lines`. */
export const countOf = (count: number, noun: string): string =>
  `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Three digits that count, however small: a run that cost something is never shown as $0.00. */
export function formatCost(usd: number): string {
  if (usd === 0) return "$0";
  const digits =
    usd >= 1
      ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      : { maximumSignificantDigits: 3 };
  return `$${usd.toLocaleString("en-US", digits)}`;
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)/;

/** `2026-11-05 14:03:22 UTC`. */
export function formatTimestamp(timestamp: string): string {
  const [, day, clock] = TIMESTAMP.exec(timestamp) ?? [];
  return day === undefined ? timestamp : `${day} ${clock} UTC`;
}

export const formatClock = (timestamp: string): string =>
  TIMESTAMP.exec(timestamp)?.[2] ?? timestamp;
