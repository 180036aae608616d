// Who this process is, so that another one can tell later whether it still lives.
import { readFileSync, readlinkSync } from "node:fs";
import type { ProcessIdentity } from "../storage/stores.ts";
import { runProgram, type Sighting, sightProcess } from "./sighting.ts";

let self: ProcessIdentity | null = null;

/** This process as others recognise it; found out once. */
export function identifySelf(): ProcessIdentity {
  self ??= lookAtSelf();
  return self;
}

/** `"unseen"` where this process cannot tell: another boot, another pid namespace, a hidden process. */
export function isAlive(identity: ProcessIdentity): boolean | "unseen" {
  const me = identifySelf();
  if (identity.host !== me.host) return "unseen";
  if (identity.pid === me.pid) return identity.startedAt === me.startedAt;
  return decideAlive(identity, sightProcess(identity.pid));
}

/** A zombie has ended, it only has not been buried; a pid with another start is somebody else. */
export function decideAlive(identity: ProcessIdentity, sighting: Sighting): boolean | "unseen" {
  if (sighting.kind === "gone") return false;
  if (sighting.kind === "hidden") return "unseen";
  return sighting.startedAt === identity.startedAt && !/^[ZX]/.test(sighting.state);
}

function lookAtSelf(): ProcessIdentity {
  const host = nameHost();
  const sighting = host === null ? null : sightProcess(process.pid);
  if (host === null || sighting?.kind !== "seen") return describeBlindly();
  return { pid: process.pid, startedAt: sighting.startedAt, host };
}

/** A host of its own: nobody can look at this process, and it can look at nobody. */
function describeBlindly(): ProcessIdentity {
  const startedAt = String(Math.round(performance.timeOrigin));
  return { pid: process.pid, startedAt, host: `unseen:${crypto.randomUUID()}` };
}

function nameHost(): string | null {
  try {
    return process.platform === "darwin" ? nameMacHost() : nameLinuxHost();
  } catch {
    return null;
  }
}

function nameMacHost(): string {
  return runProgram("sysctl", ["-n", "kern.bootsessionuuid"]).trim();
}

function nameLinuxHost(): string | null {
  // In a new pid namespace with the old /proc the pids there are not ours.
  if (readlinkSync("/proc/self") !== String(process.pid)) return null;
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  return `${boot}/${readlinkSync("/proc/self/ns/pid")}`;
}
