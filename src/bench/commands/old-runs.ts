// What `adj prune` may take of suites: runs that are over, with the workspaces that were kept of them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OldThings, PruneSearch } from "../../core/commands/prune/old-things.ts";
import { withStore } from "./context.ts";
import { forgetRun, listOldRuns } from "./remove.ts";

/** What lies on a server is for whoever runs it. */
const OF_THIS_MACHINE = {};

export async function findOldSuiteRuns(search: PruneSearch): Promise<OldThings[]> {
  const { before, program } = search;
  const { stateDir } = program;
  if (!existsSync(join(stateDir, "bench.db"))) return [];
  const { over, open } = await withStore(OF_THIS_MACHINE, search, (store) =>
    listOldRuns(store, before),
  );
  if (over.length + open.length === 0) return [];
  const isFound = new Set(over.map(({ id }) => id));
  const remove = () =>
    withStore(OF_THIS_MACHINE, search, async (store) => {
      const still = (await listOldRuns(store, before)).over.filter(({ id }) => isFound.has(id));
      for (const { id } of still) await forgetRun(store, stateDir, id);
      return still.length;
    });
  const note =
    open.length === 0
      ? null
      : `${open.length} old ${open.length === 1 ? "run" : "runs"} of suites stay: not over, see \`adj bench history\` and \`adj bench cancel\``;
  return [{ what: "runs of suites", count: over.length, bytes: null, note, remove }];
}
