import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import type { NewEvent } from "../../../src/core/command/event.ts";
import { isLost, openAudit, UNSEEN_LIMIT_MS } from "../../../src/core/store/audit.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startFixture } from "./fixture-process.ts";
import { openAuditUntilEnd, openFreshAudit } from "./fresh-audit.ts";
import { sampleEvent } from "./sample-event.ts";

const minute = (number: number) => new Date(Date.UTC(2026, 10, 15, 12, number)).toISOString();
const endOf = (opened: NewEvent): NewEvent => ({ ...opened, type: "CommandResulted" });

describe("what is appended", () => {
  test("comes back as it was, with the next number", () => {
    const { audit } = openFreshAudit();
    const full = sampleEvent({
      causationId: "cause-1",
      origin: { surface: "hook", agent: "claude-code", parent: "parent-1" },
      data: { name: "déjà ✓", deep: [1, null, { "": false }] },
    });
    const bare = sampleEvent({ type: "TrustChanged", sessionId: null, data: {} });
    expect(audit.append(full)).toEqual({ ...full, seq: 1 });
    expect(audit.append(bare)).toEqual({ ...bare, seq: 2 });
    expect([...audit.read({})]).toEqual([
      { ...full, seq: 1 },
      { ...bare, seq: 2 },
    ]);
  });

  test("is there for the next who opens the store, and numbers go on", () => {
    const folder = temporaryFolder();
    const first = openAudit(folder);
    first.append(sampleEvent());
    first.close();
    const second = openAuditUntilEnd(folder);
    expect(second.append(sampleEvent()).seq).toBe(2);
  });

  test("never gets a number that was used before, even when everything was pruned", () => {
    const { audit } = openFreshAudit();
    audit.append(sampleEvent({ time: minute(0) }));
    audit.prune(minute(1));
    expect(audit.append(sampleEvent()).seq).toBe(2);
  });
});

describe("processes that leave the store without closing it", () => {
  test("keep every event, and the log of changes does not grow with their number", async () => {
    const folder = temporaryFolder();
    const log = () => statSync(join(folder, "audit.db-wal"), { throwIfNoEntry: false })?.size ?? 0;
    const sizes: number[] = [];
    for (let process = 0; process < 6; process++) {
      const { ended } = startFixture("leave-audit.ts", { args: [folder, "40"] });
      expect(await ended).toBe(0);
      sizes.push(log());
    }
    expect(sizes).toContain(0);
    expect(Math.max(...sizes)).toBeLessThan(600_000);
    expect([...openAuditUntilEnd(folder).read({})]).toHaveLength(240);
  });
});

describe("pruning", () => {
  test("deletes what is older, in as many batches as it takes, and nothing else", () => {
    const { audit } = openFreshAudit();
    for (let round = 0; round < 450; round++) audit.append(sampleEvent({ time: minute(1) }));
    audit.append(sampleEvent({ time: minute(2) }));
    expect(audit.prune(minute(2))).toBe(450);
    expect([...audit.read({})].map(({ time }) => time)).toEqual([minute(2)]);
    expect(audit.prune(minute(2))).toBe(0);
  });

  test("goes in steps between which others write", async () => {
    const { audit, folder } = openFreshAudit();
    const database = new DatabaseSync(join(folder, "audit.db"));
    onTestFinished(() => database.close());
    const body = '{"origin":{"surface":"cli"},"data":{}}';
    database.exec(`WITH RECURSIVE number (n) AS (SELECT 1 UNION SELECT n + 1 FROM number LIMIT 10000)
      INSERT INTO event (time, type, correlation_id, body)
      SELECT '${minute(1)}', 'Diagnostic', 'c' || n, '${body}' FROM number`);
    const countOld = database.prepare("SELECT count(*) AS count FROM event WHERE time < '2030'");
    const pruner = startFixture("prune.ts", { args: [folder] });
    const seen = new Set<unknown>();
    while (pruner.lines.length === 0) {
      audit.append(sampleEvent({ time: "2030-01-01T00:00:00.000Z" }));
      seen.add(countOld.get()?.count);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await pruner.nextLine()).toBe("10000");
    expect([...seen].filter((count) => count !== 0 && count !== 10_000)).not.toEqual([]);
  });

  test("keeps the beginning of a dispatch that still runs", () => {
    const { audit } = openFreshAudit();
    const { seq } = audit.openDispatch(sampleEvent({ time: minute(1) }));
    audit.append(sampleEvent({ time: minute(1) }));
    expect(audit.countPrunable(minute(9))).toBe(1);
    expect(audit.prune(minute(9))).toBe(1);
    audit.closeDispatch(seq, endOf(sampleEvent({ time: minute(2) })));
    expect([...audit.read({})].map(({ type }) => type)).toEqual([
      "CommandDispatched",
      "CommandResulted",
    ]);
    expect(audit.countPrunable(minute(9))).toBe(2);
    expect(audit.prune(minute(9))).toBe(2);
  });
});

const lostEndOf = (opened: Omit<NewEvent, "type">): NewEvent => ({
  ...opened,
  type: "CommandResulted",
});

function edit(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, "audit.db"));
  database.exec(sql);
  database.close();
}

describe("a dispatch", () => {
  test("is opened and closed with an event each", () => {
    const { audit } = openFreshAudit();
    const opened = audit.openDispatch(sampleEvent());
    const closed = audit.closeDispatch(opened.seq, lostEndOf(sampleEvent()));
    expect([...audit.read({})]).toEqual([opened, closed]);
  });

  test("cannot be closed twice, nor without having been opened", () => {
    const { audit } = openFreshAudit();
    const { seq } = audit.openDispatch(sampleEvent());
    audit.closeDispatch(seq, lostEndOf(sampleEvent()));
    expect(() => audit.closeDispatch(seq, lostEndOf(sampleEvent()))).toThrow("not open");
    expect(() => audit.closeDispatch(99, lostEndOf(sampleEvent()))).toThrow("not open");
    expect([...audit.read({})]).toHaveLength(2);
  });

  test("that cannot be noted leaves no event either", () => {
    const { audit, folder } = openFreshAudit();
    edit(folder, "DROP TABLE open_dispatch");
    expect(() => audit.openDispatch(sampleEvent())).toThrow("open_dispatch");
    expect([...audit.read({})]).toEqual([]);
  });

  test("of a living process is not lost", () => {
    const { audit } = openFreshAudit();
    audit.openDispatch(sampleEvent());
    expect(audit.closeLost(lostEndOf)).toEqual([]);
  });

  test("that a killed process left open is closed once, whoever comes first", async () => {
    const { audit, folder } = openFreshAudit();
    const owner = startFixture("open-dispatches.ts", { args: [folder, "20"] });
    await owner.nextLine();
    expect(audit.closeLost(lostEndOf)).toEqual([]);
    owner.child.kill("SIGKILL");
    await owner.ended;

    const closers = Array.from({ length: 4 }, () =>
      startFixture("close-lost.ts", { args: [folder] }),
    );
    await Promise.all(closers.map((closer) => closer.nextLine()));
    for (const closer of closers) closer.send("go");
    const counts = await Promise.all(closers.map((closer) => closer.nextLine()));

    expect(counts.map(Number).reduce((sum, count) => sum + count)).toBe(20);
    const ends = [...audit.read({ types: ["CommandResulted"] })].map(
      (event) => event.correlationId,
    );
    expect(ends.sort()).toEqual(Array.from({ length: 20 }, (_, at) => `lost-${at}`).sort());
    expect(audit.closeLost(lostEndOf)).toEqual([]);
  });

  test("whose unseen owner comes back after it was closed keeps that one end", () => {
    const { audit, folder } = openFreshAudit();
    const { seq } = audit.openDispatch(sampleEvent());
    edit(folder, "UPDATE open_dispatch SET host = 'elsewhere', opened_at = 0");
    const [lost] = audit.closeLost(lostEndOf);
    expect(audit.closeLost(lostEndOf)).toEqual([]);
    expect(audit.closeDispatch(seq, lostEndOf(sampleEvent({ data: { name: "late" } })))).toEqual(
      lost,
    );
    expect([...audit.read({ types: ["CommandResulted"] })]).toEqual([lost]);
  });

  test.each<[string, number, boolean | "unseen", boolean]>([
    ["a living owner, however long", UNSEEN_LIMIT_MS * 9, true, false],
    ["a dead owner, at once", 0, false, true],
    ["an unseen owner, within a day", UNSEEN_LIMIT_MS, "unseen", false],
    ["an unseen owner, after a day", UNSEEN_LIMIT_MS + 1, "unseen", true],
  ])("is lost or not with %s", (_, age, alive, expected) => {
    expect(isLost({ openedAt: 1_000 }, alive, 1_000 + age)).toBe(expected);
  });
});
