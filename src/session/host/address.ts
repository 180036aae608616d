// Where the host is reached: a line in a file that only the user can read, as the resident's is. The file is the lock:
// one host per state folder.
import { join } from "node:path";
import { isAlive, type ProcessIdentity } from "../../core/process/identity.ts";
import { killRun } from "../../core/process/kill-tree.ts";
import { type ResidentAddress, readAddress } from "../../hooks/resident/address.ts";

export type HostAddress = ResidentAddress;

export const hostFile = (stateDir: string): string => join(stateDir, "host");

/** The host that runs now; null where there is none. */
export function findHost(stateDir: string): HostAddress | null {
  const address = readAddress(hostFile(stateDir));
  return address !== null && isAlive(address.owner) === true ? address : null;
}

/** All that a host starts carries this, so that the next one finds what it left behind. */
export const hostRunId = ({ pid, startedAt }: ProcessIdentity): string =>
  `host-${pid}-${startedAt}`;

/** Ends what a host that is gone left running. */
export const killHostLeftovers = (host: ProcessIdentity): Promise<number[]> =>
  killRun({ runId: hostRunId(host), since: 0 });
