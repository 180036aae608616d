// Ending a run from outside of it.
import { endLeftovers } from "./end-tree.ts";

export interface LeftRun {
  readonly runId: string;
  /** The system's uptime in seconds when the run began. */
  readonly since: number;
}

/** Ends all that carries the run's id, where nobody is left to do it: the thread that started it was ended. */
export const endRun = ({ runId, since }: LeftRun): Promise<number[]> =>
  endLeftovers(
    { pid: process.pid, runId, ownsGroup: false, since },
    { wasSignalled: false, graceMs: 200 },
  );
