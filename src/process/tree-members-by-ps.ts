// The same question where there is no /proc (macOS): `ps` shows the environment behind the command.
import { execFileSync } from "node:child_process";
import { RUN_ID_NAME } from "./run-id.ts";
import type { Member, ProcessTree, Sight } from "./tree-members.ts";

const COLUMNS = ["-o", "pid=,pgid=,stat=,command="];
const ARGUMENTS = process.platform === "darwin" ? ["-A", "-E", "-ww"] : ["axeww"];
const MAX_LISTING_BYTES = 64 * 1024 * 1024;

export function findMembersByPs(tree: ProcessTree): Sight {
  const listing = execFileSync("ps", [...ARGUMENTS, ...COLUMNS], {
    encoding: "latin1",
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C" },
    maxBuffer: MAX_LISTING_BYTES,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { members: readListing(listing, tree), unclear: [] };
}

function readListing(listing: string, tree: ProcessTree): Member[] {
  const members: Member[] = [];
  for (const line of listing.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (match === null) continue;
    const [pid, group] = [Number(match[1]), Number(match[2])];
    const isLiving = !match[3]?.startsWith("Z") && pid !== process.pid;
    const isInGroup = tree.ownsGroup && group === tree.pid;
    if (isLiving && (isInGroup || showsRunId(match[4] ?? "", tree.runId)))
      members.push({ pid, group });
  }
  return members;
}

function showsRunId(words: string, runId: string): boolean {
  const entry = ` ${RUN_ID_NAME}=${runId}`;
  const at = words.indexOf(entry);
  return at >= 0 && ["", " ", "/"].includes(words.charAt(at + entry.length));
}
