// `adj prune` on a real store of suites: runs that are over go with what only they need, everything else stays.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openBench } from "../../../src/bench/store/sqlite.ts";
import type { SuiteRunRecord } from "../../../src/bench/store/store.ts";
import { openTestProgram, type TestProgram, textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { result } from "../report/results.ts";
import { plansOf, runOf } from "../store/plans.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

interface Wanted {
  readonly id: string;
  readonly began: number;
  readonly ended: number | null;
  readonly state: SuiteRunRecord["state"];
}

/** A run with one result, whose text lies in the store. */
async function addRun({ stateDir }: TestProgram, { id, began, ended, state }: Wanted) {
  const store = openBench(stateDir);
  await store.createRun(runOf(id, { startedAt: ago(began) }), plansOf(id, 1), []);
  const answer = await store.putContent(Buffer.from(`the answer of ${id}`));
  const taken = await store.claim({ id: "w", labels: [], now: new Date() }, id);
  if (taken.kind !== "claimed") throw new TypeError(`nothing to claim: ${taken.kind}`);
  const { key, fingerprint } = taken.claim.plan;
  const facts = { ending: "passed", runId: id, key, fingerprint, artifacts: { answer } } as const;
  await store.complete(taken.claim, result(facts));
  if (state === "cancelled") await store.cancelRun(id);
  if (ended !== null) await store.finishRun(id, ago(ended));
  await store.close();
  writeFiles(stateDir, { [`bench/kept/${id.slice(0, 8)}/file`]: id });
  return answer;
}

/** As if what lies in the store had been put so long ago. */
function ageContent({ stateDir }: TestProgram, hash: string, ms: number): void {
  const database = new DatabaseSync(join(stateDir, "bench.db"));
  database.prepare("UPDATE content SET put_at = ? WHERE hash = ?").run(Date.now() - ms, hash);
  database.close();
}

async function lookInto({ stateDir }: TestProgram, hashes: readonly string[]) {
  const store = openBench(stateDir);
  const runs = (await store.listRuns(null)).map(({ id }) => id);
  const contents = await Promise.all(hashes.map((hash) => store.getContent(hash)));
  await store.close();
  const isKept = (id: string) => existsSync(join(stateDir, "bench", "kept", id.slice(0, 8)));
  return { runs, kept: runs.filter(isKept), contents: contents.map((one) => one !== null) };
}

// biome-ignore format: a table, one line each
const RUNS: readonly Wanted[] = [
  { id: "old-done", began: 60 * DAY_MS, ended: 59 * DAY_MS, state: "done" },
  { id: "old-cut-off", began: 60 * DAY_MS, ended: null, state: "cancelled" },
  { id: "long-one", began: 60 * DAY_MS, ended: DAY_MS, state: "done" },
  { id: "old-open", began: 60 * DAY_MS, ended: null, state: "running" },
  { id: "newer", began: 2 * DAY_MS, ended: DAY_MS, state: "done" },
];

test("runs of suites that ended so long ago go with their workspaces; younger and open ones stay", async () => {
  const opened = openTestProgram();
  for (const run of RUNS) await addRun(opened, run);
  const planned = await opened.run(["prune", "--dry-run"]);
  expect(textOf(planned)).toMatch(/\n2 +runs of suites\n/);
  expect(textOf(planned)).toContain(
    "1 old run of suites stay: not over, see `adj bench history` and `adj bench cancel`",
  );
  expect((await lookInto(opened, [])).runs).toHaveLength(5);

  const outcome = await opened.run(["prune"], { yes: true });
  expect(textOf(outcome)).toContain("took away runs of suites (2)");
  const left = await lookInto(opened, []);
  expect(left.runs.sort()).toEqual(["long-one", "newer", "old-open"]);
  expect(left.kept.sort()).toEqual(["long-one", "newer", "old-open"]);
  for (const id of ["old-done", "old-cut-off"])
    expect(existsSync(join(opened.stateDir, "bench", "kept", id.slice(0, 8)))).toBe(false);
});

test("what a removed run kept goes when it is a day old: a younger text may be of a result that is being written", async () => {
  const opened = openTestProgram();
  const old = { began: 60 * DAY_MS, ended: 59 * DAY_MS, state: "done" } as const;
  const gone = await addRun(opened, { ...old, id: "gone" });
  const young = await addRun(opened, { ...old, id: "young" });
  const used = await addRun(opened, { ...old, id: "stays", ended: DAY_MS });
  ageContent(opened, gone, DAY_MS + HOUR_MS);
  ageContent(opened, young, DAY_MS - HOUR_MS);
  ageContent(opened, used, 30 * DAY_MS);
  await opened.run(["prune"], { yes: true });
  const left = await lookInto(opened, [gone, young, used]);
  expect(left).toMatchObject({ runs: ["stays"], contents: [false, true, true] });
});
