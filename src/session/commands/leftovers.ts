// What `adj prune` may take of hosts that are gone, and of files that were only passed on.
import { join } from "node:path";
import {
  listUntouched,
  type OldThings,
  oldFiles,
  type PruneSearch,
} from "../../core/commands/prune/old-things.ts";
import { isAlive } from "../../core/process/identity.ts";
import { listFolder } from "../../core/project/files.ts";
import { addressFile, readAddress } from "../../hooks/resident/address.ts";
import { findHost, hostFile } from "../host/address.ts";

export async function findLeftovers({ before, program }: PruneSearch): Promise<OldThings[]> {
  const { stateDir } = program;
  const passedOn = ["outputs", "results"].map((name) => join(stateDir, "virtual", name));
  return [
    ...oldFiles("addresses of processes that are gone", listStale(stateDir)),
    ...oldFiles(
      "answers to clients that nobody fetched",
      listUntouched(join(stateDir, "calls"), before),
    ),
    ...oldFiles(
      "outputs that were only passed on",
      passedOn.flatMap((folder) => listUntouched(folder, before)),
    ),
  ];
}

/** However old: whoever is named there cannot come back. */
function listStale(stateDir: string): string[] {
  const isStale = (file: string): boolean => {
    const address = readAddress(file);
    return address !== null && isAlive(address.owner) === false;
  };
  const named = [hostFile(stateDir), addressFile(stateDir)].filter(isStale);
  const left = listFolder(stateDir).filter((name) => name.startsWith("host-hook."));
  const ofHost = findHost(stateDir) === null ? left.map((name) => join(stateDir, name)) : [];
  return [...named, ...ofHost];
}
