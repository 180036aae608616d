// The record, and approved states of projects that are neither in force nor the newest.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { listFolder, statOf } from "../../project/files.ts";
import { isApproved, readCurrentHash, readNewestHash } from "../../project/trust/store.ts";
import { type OldThings, oldFiles, type PruneSearch } from "./old-things.ts";

export async function findOldRecords({ before, program }: PruneSearch): Promise<OldThings[]> {
  const { audit, stateDir } = program;
  const until = before.toISOString();
  const count = audit.countPrunable(until);
  const events = {
    what: "events of the record",
    count,
    bytes: null,
    note: null,
    remove: () => audit.prune(until),
  };
  return [
    ...(count === 0 ? [] : [events]),
    ...oldFiles("earlier approved states of projects", listOldStates(stateDir, before)),
  ];
}

function listOldStates(stateDir: string, before: Date): string[] {
  const trust = join(stateDir, "trust");
  return listFolder(trust).flatMap((name) => {
    const folder = join(trust, name);
    const used = new Set([readCurrentHash(folder), readNewestHash(folder)]);
    return listFolder(folder)
      .filter((hash) => !used.has(hash) && isApproved(folder, hash))
      .map((hash) => join(folder, hash))
      .filter((path) => (statOf(path, lstatSync)?.mtimeMs ?? Infinity) < before.getTime());
  });
}
