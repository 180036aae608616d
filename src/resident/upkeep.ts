// What a resident does about itself now and then. Pure: what was seen goes in, what to do comes out.

export interface Seen {
  /** Its own address still stands in the file. */
  readonly isNamed: boolean;
  /** The program on disk is another than the one that runs, or is gone. */
  readonly code: "same" | "changed" | "gone";
  /** Since the successor was started, null where there is none. */
  readonly handingOverForMs: number | null;
  readonly running: number;
  readonly idleForMs: number;
  /** An agent that calls HTTP has no cold way: for it somebody must be there. */
  readonly servesHttp: boolean;
}

export type Upkeep = "stay" | "hand over" | "retire";

const HANDOVER_LIMIT_MS = 10_000;

export function decideUpkeep(seen: Seen, idleMs: number): Upkeep {
  if (!seen.isNamed || seen.code === "gone") return "retire";
  if (seen.code === "changed") {
    if (seen.handingOverForMs === null) return "hand over";
    return seen.handingOverForMs > HANDOVER_LIMIT_MS ? "retire" : "stay";
  }
  const isIdle = seen.running === 0 && seen.idleForMs >= idleMs;
  return isIdle && !seen.servesHttp ? "retire" : "stay";
}
