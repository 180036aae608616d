// `adj bench remove RUN…` and `--older 30d`: results are kept until somebody says so.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { parseDuration } from "../../core/command/time.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import type { OldThings, PruneSearch } from "../../core/commands/prune/old-things.ts";
import type { BenchStore, SuiteRunRecord } from "../store/store.ts";
import type { BenchArguments } from "./arguments.ts";
import { findRunRecord, requireWord, withStore } from "./context.ts";
import { keptFolder } from "./trial-runtime.ts";

/** Longer than any trial lies between what it keeps and its result. */
const CONTENT_GRACE_MS = 24 * 3_600_000;

export const removeRuns = (args: BenchArguments, bench: BundledContext): Promise<CommandResult> =>
  withStore(args, bench, async (store) => {
    const runs = await pickRuns(args, store);
    for (const { id } of runs) await forgetRun(store, bench.program.stateDir, id);
    const names = runs.map(({ id }) => id.slice(0, 8));
    const text = names.length === 0 ? "no run is that old" : `removed ${names.join(", ")}`;
    return ok(text, { removed: runs.map(({ id }) => id) });
  });

/** With the workspaces that were kept for a look, which lie beside. */
async function forgetRun(store: BenchStore, stateDir: string, id: string): Promise<void> {
  await store.removeRun(id, new Date(Date.now() - CONTENT_GRACE_MS));
  await rm(join(keptFolder(stateDir), id.slice(0, 8)), { recursive: true, force: true });
}

async function pickRuns(
  { words, older }: BenchArguments,
  store: BenchStore,
): Promise<readonly SuiteRunRecord[]> {
  if (older !== undefined && words.length === 0) return listOlder(store, older);
  if (older !== undefined || words.length === 0)
    throw fault("ArgumentsInvalid", {
      command: "bench",
      problem: "`bench remove` needs runs, or `--older` with a time such as `30d`",
    });
  const runs = await Promise.all(words.map((word) => findRunRecord(store, word)));
  const open = runs.find(({ state }) => state === "running");
  if (open === undefined) return runs;
  const id = open.id.slice(0, 8);
  throw fault(
    "InputInvalid",
    { what: "`adj bench remove`", problem: `run ${id} is not over` },
    { hint: `go on with it, or end it with \`adj bench cancel ${id}${store.hintFlag}\` first` },
  );
}

async function listOlder(store: BenchStore, older: string): Promise<SuiteRunRecord[]> {
  const ageMs = parseDuration(older);
  if (ageMs === null)
    throw fault("ArgumentsInvalid", {
      command: "bench",
      problem: `\`--older\` must be a time such as \`30d\`, not \`${older}\``,
    });
  return (await listOldRuns(store, new Date(Date.now() - ageMs))).over;
}

interface OldSuiteRuns {
  readonly over: SuiteRunRecord[];
  /** They began before that time and are not over: what is not over is not old. */
  readonly open: SuiteRunRecord[];
}

/** A run is as old as its end; one that was cancelled while nobody worked on it has none, and is as old as its beginning. */
async function listOldRuns(store: BenchStore, before: Date): Promise<OldSuiteRuns> {
  const runs = await store.listRuns(null);
  const old = runs.filter(
    ({ state, startedAt, finishedAt }) =>
      Date.parse((state === "running" ? null : finishedAt) ?? startedAt) < before.getTime(),
  );
  const { open = [], over = [] } = Object.groupBy(old, ({ state }) =>
    state === "running" ? "open" : "over",
  );
  return { open, over };
}

/** Whoever works on it stops at the next heartbeat. */
export const cancelRun = (args: BenchArguments, bench: BundledContext): Promise<CommandResult> =>
  withStore(args, bench, async (store) => {
    const run = await findRunRecord(store, requireWord(args, "a run"));
    await store.cancelRun(run.id);
    return ok(`cancelled ${run.id.slice(0, 8)}; what was finished stays`, { run: run.id });
  });

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
