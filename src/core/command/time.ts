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

/** Milliseconds on a clock that never jumps. `performance` is the same clock with ten modules behind it. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
