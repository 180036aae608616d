// What Linux says of a process in `/proc/PID/stat`.

export interface ProcStat {
  /** `R`, `S`, `Z` … */
  readonly state: string;
  readonly isLiving: boolean;
  readonly parent: number;
  readonly group: number;
  readonly hasTerminal: boolean;
  readonly isKernelThread: boolean;
  /** In clock ticks since the system started, as it stands there. */
  readonly startedAt: string;
  /** The same as the system's uptime in seconds. */
  readonly since: number;
}

const KERNEL_THREAD = 0x0020_0000;
const TICKS_PER_SECOND = 100;
/** Two readings of the uptime for one moment lie no further apart. */
export const CLOCK_TOLERANCE_S = 0.05;

/** Null where it is not what it should be. */
export function parseProcStat(text: string): ProcStat | null {
  // The name before it stands in brackets and may hold anything, brackets and spaces included.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, , terminal, , flags] = fields;
  const startedAt = fields[19];
  if (!state || !startedAt) return null;
  return {
    state,
    isLiving: !/^[ZX]/.test(state),
    parent: Number(parent),
    group: Number(group),
    hasTerminal: terminal !== "0",
    isKernelThread: (Number(flags) & KERNEL_THREAD) !== 0,
    startedAt,
    since: Number(startedAt) / TICKS_PER_SECOND,
  };
}
