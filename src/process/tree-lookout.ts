import { existsSync } from "node:fs";
import { findMembersInProc, type Member, type ProcessTree } from "./tree-members.ts";
import { findMembersByPs } from "./tree-members-by-ps.ts";

const findMembers = existsSync("/proc/self/environ") ? findMembersInProc : findMembersByPs;

/** `exec` hides a process for less than this; who has no environment for longer is somebody else's. */
const EXEC_PATIENCE_MS = 15;

export interface Look {
  readonly members: readonly Member[];
  /** False while there may be others: look again. */
  readonly isCertain: boolean;
}

/** Looks at a tree again and again, and remembers who could not be told the last time. */
export function openLookout(tree: ProcessTree): () => Look {
  let unclearSince = new Map<number, number>();
  return () => {
    const { members, unclear } = findMembers(tree);
    const now = performance.now();
    unclearSince = new Map(unclear.map((pid) => [pid, unclearSince.get(pid) ?? now]));
    const isCertain = [...unclearSince.values()].every((since) => now - since > EXEC_PATIENCE_MS);
    return { members, isCertain };
  };
}
