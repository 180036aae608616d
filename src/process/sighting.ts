// What the operating system shows of a process, reduced to what tells one process from the next.
import { readFileSync } from "node:fs";
import { parseProcStat } from "./proc-stat.ts";

export type Sighting =
  | { readonly kind: "seen"; readonly state: string; readonly startedAt: string }
  | { readonly kind: "gone" }
  /** It is there, or may be, but nothing more can be said from here. */
  | { readonly kind: "hidden" };

export function parseLinuxStat(text: string): Sighting {
  const stat = parseProcStat(text);
  if (stat === null) return { kind: "hidden" };
  return { kind: "seen", state: stat.state, startedAt: stat.startedAt };
}

/** A line of `ps -o stat=,lstart=`: `Ss+  Sun Nov 15 22:26:01 2026`. */
export function parsePsLine(line: string): Sighting {
  const match = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(line);
  if (!match?.[1] || !match[2]) return { kind: "gone" };
  return { kind: "seen", state: match[1], startedAt: match[2].replaceAll(/\s+/g, " ") };
}

export function sightProcess(pid: number): Sighting {
  return process.platform === "darwin" ? sightByPs(pid) : sightInProc(pid);
}

function sightInProc(pid: number): Sighting {
  try {
    return parseLinuxStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    // A /proc mounted with hidepid shows nothing of other users' processes; a signal still finds them.
    return isSignalable(pid) ? { kind: "hidden" } : { kind: "gone" };
  }
}

function isSignalable(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

function sightByPs(pid: number): Sighting {
  try {
    return parsePsLine(runProgram("ps", ["-o", "stat=,lstart=", "-p", String(pid)]));
  } catch (error) {
    // `ps` ends with status 1 when it finds no such process; anything else says nothing about it.
    const isMissing = error instanceof Error && "status" in error && error.status === 1;
    return isMissing ? { kind: "gone" } : { kind: "hidden" };
  }
}

/** Only macOS needs programs for this, so only there `node:child_process` is loaded. */
export function runProgram(program: string, args: readonly string[]): string {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  return execFileSync(program, args, {
    encoding: "utf8",
    env: { PATH: "/bin:/usr/bin:/sbin:/usr/sbin", LC_ALL: "C" },
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
