/** Milliseconds on a clock that never jumps. `performance` is the same clock with ten modules behind it. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
