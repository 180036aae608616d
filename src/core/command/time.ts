/** In milliseconds, by the short name. */
export const UNITS_OF_TIME: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `250ms`, `5s`, `10m`, `2h`, `30d` in milliseconds; bare numbers and zero are refused with null. */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  const unit = UNITS_OF_TIME[match?.[2] ?? ""];
  if (match === null || unit === undefined) return null;
  const duration = Math.round(Number(match[1]) * unit);
  return duration > 0 && Number.isSafeInteger(duration) ? duration : null;
}

const WRITTEN_UNITS = [
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** A limit in the largest unit that has it whole: `10 min`, `90 s`, `250 ms`. */
export function showLimit(limitMs: number): string {
  const [name, unit] = WRITTEN_UNITS.find(([, size]) => limitMs % size === 0) ?? ["ms", 1];
  return `${limitMs / unit} ${name}`;
}

/** Milliseconds on a clock that never jumps. `performance` is the same clock with ten modules behind it. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
