import { setTimeout as pause } from "node:timers/promises";

/** Looks again and again until it is so; the bound only ends a test that would hang. */
export async function waitUntil(isSo: () => boolean, boundMs = 20_000): Promise<void> {
  const deadline = performance.now() + boundMs;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`not so within ${boundMs} ms: ${isSo}`);
    await pause(5);
  }
}
