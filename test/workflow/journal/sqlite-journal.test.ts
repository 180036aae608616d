import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { pruneRuns } from "../../../src/workflow/engine/control.ts";
import type { Journal, NewEntry } from "../../../src/workflow/journal/journal.ts";
import { openJournal } from "../../../src/workflow/journal/sqlite-journal.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { addTestRun, USAGE } from "../engine/scripted-run.ts";

const ENTRY: NewEntry = {
  ...{ kind: "agent", path: "parallel#0/1", content: "abc", ordinal: 0, label: "look" },
  ...{ phase: "Review", asked: { prompt: "look" }, agent: "claude", model: null },
  sessionId: "s1",
};

function open(folder = temporaryFolder()): Journal {
  const journal = openJournal(folder);
  onTestFinished(() => journal.close());
  return journal;
}

test("a run comes back as it was added, and as it was changed", () => {
  const journal = open();
  const args = { files: ["a", "b"], deep: { nothing: null } };
  const id = addTestRun(journal, {
    args,
    limits: { ...{ usd: 2, tokens: null }, calls: 3, timeMs: 4 },
  });
  expect(journal.readRun(id)).toMatchObject({ id, args, limits: { usd: 2, calls: 3, timeMs: 4 } });
  expect(journal.readRun(id)).toMatchObject({ result: undefined, owner: null, requested: null });
  journal.changeRun(id, { status: "done", result: null, phase: "Review", requested: "stop" });
  expect(journal.readRun(id)).toMatchObject({ status: "done", result: null, requested: "stop" });
  journal.changeRun(id, { requested: null });
  expect(journal.readRun(id)).toMatchObject({ requested: null, phase: "Review" });
  expect(journal.readRun("wf_none")).toBeNull();
});

test("runs are listed newest first, of one project and so many", () => {
  const journal = open();
  for (const day of [1, 3, 2])
    addTestRun(journal, { id: `wf_${day}`, root: `/${day % 2}`, createdAt: `2026-11-0${day}` });
  const ids = (filter: Parameters<Journal["listRuns"]>[0]) =>
    journal.listRuns(filter).map(({ id }) => id);
  expect(ids({})).toEqual(["wf_3", "wf_2", "wf_1"]);
  expect(ids({ root: "/1" })).toEqual(["wf_3", "wf_1"]);
  expect(ids({ last: 1 })).toEqual(["wf_3"]);
});

test("an entry is numbered, changed, and begun again with what it cost", () => {
  const journal = open();
  const id = addTestRun(journal);
  expect([journal.begin(id, ENTRY), journal.begin(id, { ...ENTRY, ordinal: 1 })]).toEqual([1, 2]);
  const worktree = { path: "/tree", branch: "wf/1", base: "abc" };
  journal.change(id, 1, { conversation: "c1", worktree, waiting: "a person" });
  for (const runId of ["r1", "r2"]) journal.change(id, 1, { runId });
  const problem = { code: "AgentRunFailed", message: "no" };
  journal.change(id, 1, { status: "failed", problem, usage: USAGE });
  expect(journal.readEntry(id, 1)).toMatchObject({
    ...{ ...ENTRY, conversation: "c1", worktree, waiting: "a person", runIds: ["r1", "r2"] },
    ...{ status: "failed", problem, usage: USAGE, starts: 1, result: undefined },
    endedAt: expect.any(String),
  });
  journal.beginAgain(id, 1);
  expect(journal.readEntry(id, 1)).toMatchObject({
    ...{ status: "running", problem: null, waiting: null, starts: 2, endedAt: null },
    ...{ conversation: "c1", worktree, usage: USAGE },
  });
  journal.change(id, 1, { status: "done", result: { ok: true } });
  expect(journal.listKeys(id)).toMatchObject([
    { number: 1, status: "done", starts: 2 },
    { number: 2, status: "running" },
  ]);
  expect(journal.totals(id)).toMatchObject({ calls: 2, done: 1, running: 1, costUsd: 0.1 });
  expect(journal.listAlike("claude", null)).toEqual([USAGE]);
  expect(journal.listAlike("claude", "opus")).toEqual([]);
});

test("a cost that one call does not say makes the whole unknown, but not what others said", () => {
  const journal = open();
  const id = addTestRun(journal);
  for (const costUsd of [0.5, null]) {
    const number = journal.begin(id, ENTRY);
    journal.change(id, number, { status: "done", result: 1, usage: { ...USAGE, costUsd } });
  }
  expect(journal.totals(id)).toMatchObject({ costUsd: null, statedUsd: 0.5, outputTokens: 10 });
});

test("writes that come together are one transaction: all are kept, or none and all are told", async () => {
  const folder = temporaryFolder();
  const [journal, other] = [open(folder), open(folder)];
  const id = addTestRun(journal);
  const numbers = Array.from({ length: 20 }, () => journal.begin(id, ENTRY));
  const ending = { status: "done", result: 1 } as const;
  const writes = numbers.map((number) =>
    journal.together(() => journal.change(id, number, ending)).then(() => number),
  );
  expect(await Promise.all(writes)).toEqual(numbers);
  expect(other.totals(id).done).toBe(20);

  const broken = journal.together(() => {
    throw new TypeError("a bug");
  });
  const beside = journal.together(() => journal.change(id, 1, { status: "failed" }));
  const endings = await Promise.allSettled([broken, beside]);
  expect(endings.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(other.readEntry(id, 1)?.status).toBe("done");
});

test("old runs that ended are forgotten with their entries; one that can be resumed is kept", () => {
  const journal = open();
  const ids = (["done", "stopped", "failed", "waiting", "paused"] as const).map((status) => {
    const id = addTestRun(journal, { status });
    journal.begin(id, ENTRY);
    return id;
  });
  expect(pruneRuns(journal, new Date(Date.now() - 60_000))).toBe(0);
  expect(pruneRuns(journal, new Date(Date.now() + 60_000))).toBe(3);
  expect(journal.listRuns({})).toHaveLength(2);
  expect(journal.listEntries(ids[0] ?? "")).toEqual([]);
  expect(journal.listEntries(ids[3] ?? "")).toHaveLength(1);
});

describe("a claim", () => {
  test("is refused while its owner lives, and free when it is given back", () => {
    const journal = open();
    const id = addTestRun(journal);
    expect(journal.claimRun(id)).toEqual({ kind: "claimed" });
    expect(journal.claimRun(id)).toMatchObject({ kind: "held", by: { pid: process.pid } });
    expect(journal.watchRun(id)).toMatchObject({ isOurs: true, requested: null });
    journal.releaseRun(id);
    expect(journal.watchRun(id)).toMatchObject({ isOurs: false });
    expect(journal.claimRun(id)).toEqual({ kind: "claimed" });
  });

  test.each([
    ["of before a reboot that has been silent", -60_000, "claimed"],
    ["of another machine that was heard of just now", 0, "held"],
  ])("of an owner %s is %s ms old → %s", (_, age, kind) => {
    const folder = temporaryFolder();
    const journal = open(folder);
    const id = addTestRun(journal);
    const database = new DatabaseSync(join(folder, "workflow.db"));
    database
      .prepare("UPDATE run SET pid = 1, started_at = '1', host = 'elsewhere', heartbeat_at = ?")
      .run(Date.now() + age);
    database.close();
    expect(journal.readRun(id)?.owner?.pid ?? null).toBe(kind === "held" ? 1 : null);
    expect(journal.claimRun(id).kind).toBe(kind);
  });
});

describe("a journal that cannot be read", () => {
  const faultOf = (folder: string) => {
    try {
      openJournal(folder).close();
    } catch (error) {
      return error;
    }
    return null;
  };

  test("because a newer version wrote it is refused and stays as it is", () => {
    const folder = temporaryFolder();
    openJournal(folder).close();
    const path = join(folder, "workflow.db");
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const bytes = readFileSync(path);
    expect(faultOf(folder)).toMatchObject({ code: "StoreTooNew", facts: { found: 99, known: 2 } });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test("because it is no database is named, with what to do", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "workflow.db"), "no database at all ".repeat(500));
    expect(faultOf(folder)).toMatchObject({
      code: "StoreUnavailable",
      message: `\`${join(folder, "workflow.db")}\` cannot be used: the file is not a database`,
    });
  });

  test("because a row holds what this program does not write is named", () => {
    const folder = temporaryFolder();
    const journal = open(folder);
    const id = addTestRun(journal);
    const database = new DatabaseSync(join(folder, "workflow.db"));
    database.exec("UPDATE run SET status = 'dancing'");
    database.close();
    expect(() => journal.readRun(id)).toThrow("a row has an unknown word in `status`");
  });
});
