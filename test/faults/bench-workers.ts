// Worker processes on a real server.
import { setTimeout as pause } from "node:timers/promises";
import type { BenchStore } from "../../src/bench/store/store.ts";
import { type FixtureProcess, startFixture } from "../core/store/fixture-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export interface Order {
  readonly address: string;
  readonly runId: string;
  readonly trialMs: number;
}

export const startWorker = ({ address, runId, trialMs }: Order): FixtureProcess =>
  startFixture("../../../faults/fixtures/bench-worker.ts", {
    args: [address, runId, String(trialMs)],
    // Who is killed removes nothing.
    env: { TMPDIR: temporaryFolder() },
  });

/** Looks until so many trials have a result; the bound only ends a test that would hang. */
export async function awaitResults(
  store: BenchStore,
  runId: string,
  { atLeast, boundMs = 120_000 }: { readonly atLeast: number; readonly boundMs?: number },
): Promise<void> {
  const deadline = performance.now() + boundMs;
  for (;;) {
    const { length } = await store.results(runId);
    if (length >= atLeast) return;
    if (performance.now() > deadline) throw new Error(`${length} of ${atLeast} results in time`);
    await pause(50);
  }
}

/** The trials whose result counted, as their workers said. */
export const countedBy = (workers: readonly FixtureProcess[]): string[] =>
  workers.flatMap(({ lines }) =>
    lines.flatMap((line) => (line.startsWith("passed ") ? [line.slice("passed ".length)] : [])),
  );
