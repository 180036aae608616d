// Claiming the address, also from a resident of another version: that one is asked to retire first.
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "../config/file-problem.ts";
import { type Claim, type ClaimRequest, claimAddress, readAddress } from "./claim.ts";

const RETIREMENT_LIMIT_MS = 5_000;
const LOOK_MS = 20;

export async function takeAddress(request: ClaimRequest): Promise<Claim> {
  const claim = claimAddress(request);
  if (claim.kind === "claimed" || claim.by.version === request.address.version) return claim;
  await retireResident(request.file, claim.by.serverKey);
  return claimAddress(request);
}

/** Asks the resident in the file to retire; true when its address is gone. What it answers, it finishes. */
export async function retireResident(file: string, serverKey: string): Promise<boolean> {
  const isNamed = () => readAddress(file)?.serverKey === serverKey;
  const pid = readAddress(file)?.owner.pid;
  if (pid === undefined || !isNamed()) return true;
  signal(pid);
  const until = performance.now() + RETIREMENT_LIMIT_MS;
  while (isNamed() && performance.now() < until) await pause(LOOK_MS);
  return !isNamed();
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    // Gone in the meantime is what was wanted.
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
