// Every child carries the id of its run in the environment: `setsid` and a double fork shed the
// process group and the parent, but not the environment.

export const RUN_ID_NAME = "ADJ_RUN_ID";

/** A run inside a run is a path, so that the outer one also finds what a killed inner one left behind. */
export function nestRunId(outer: string | undefined, own: string): string {
  return outer ? `${outer}/${own}` : own;
}

const SLASH = "/".charCodeAt(0);

/** Whether a process's environment, as the kernel shows it, belongs to this run or to one inside it. */
export function carriesRunId(environment: Buffer, runId: string): boolean {
  const entry = Buffer.from(`${RUN_ID_NAME}=${runId}`);
  let at = environment.indexOf(entry);
  while (at >= 0) {
    const after = environment[at + entry.length] ?? 0;
    const isWholeName = at === 0 || environment[at - 1] === 0;
    if (isWholeName && (after === 0 || after === SLASH)) return true;
    at = environment.indexOf(entry, at + 1);
  }
  return false;
}
