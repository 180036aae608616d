import type { OutputCollection } from "./output-collection.ts";
import { settlesWithin } from "./settle-within.ts";

const TICK_MS = 20;
const MOST_IDLE_TICKS = 12;
/** No pipe holds this much: whoever brings more is a process that escaped. */
const MOST_BUFFERED_BYTES = 64 * 1024 * 1024;

export interface DrainRule {
  /** The run was ended by us: its consumer is not waited for. */
  readonly isStopped: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Takes in what the pipes still hold after the end of the process. They close once nobody has them
 * open; a process that could not be found may do so forever, and is not waited for.
 */
export async function drainOutput(output: OutputCollection, rule: DrainRule): Promise<void> {
  const most = output.seenBytes + MOST_BUFFERED_BYTES;
  let seen = output.seenBytes;
  let idleTicks = 0;
  while (!(await settlesWithin(output.finished, TICK_MS))) {
    const isHurried = rule.isStopped || rule.signal?.aborted === true;
    const isIdle = !output.isConsuming && output.seenBytes === seen;
    idleTicks = isHurried || isIdle ? idleTicks + 1 : 0;
    seen = output.seenBytes;
    if (idleTicks >= MOST_IDLE_TICKS || seen > most) return output.cut();
  }
}
