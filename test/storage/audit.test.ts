import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import type { NewEvent } from "../../src/dispatch/event.ts";
import { openAudit } from "../../src/storage/audit.ts";
import { isLost, UNSEEN_LIMIT_MS } from "../../src/storage/open-dispatch.ts";
import type { AuditStore, EventFilter } from "../../src/storage/stores.ts";
import { startFixture } from "./fixture-process.ts";
import { sampleEvent } from "./sample-event.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

function openFresh(): { audit: AuditStore; folder: string } {
  const folder = makeTemporaryFolder();
  return { audit: openUntilEnd(folder), folder };
}

function openUntilEnd(folder: string): AuditStore {
  const audit = openAudit(folder);
  onTestFinished(() => audit.close());
  return audit;
}

function edit(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, "audit.db"));
  database.exec(sql);
  database.close();
}

const minute = (number: number) => new Date(Date.UTC(2026, 10, 15, 12, number)).toISOString();
const endOf = (opened: NewEvent): NewEvent => ({ ...opened, type: "CommandResulted" });

describe("what is appended", () => {
  test("comes back as it was, with the next number", () => {
    const { audit } = openFresh();
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
    const folder = makeTemporaryFolder();
    const first = openAudit(folder);
    first.append(sampleEvent());
    first.close();
    const second = openUntilEnd(folder);
    expect(second.append(sampleEvent()).seq).toBe(2);
  });

  test("never gets a number that was used before, even when everything was pruned", () => {
    const { audit } = openFresh();
    audit.append(sampleEvent({ time: minute(0) }));
    audit.prune(minute(1));
    expect(audit.append(sampleEvent()).seq).toBe(2);
  });
});

describe("reading", () => {
  const events: readonly NewEvent[] = [
    sampleEvent({ time: minute(1), correlationId: "a" }),
    sampleEvent({ time: minute(2), correlationId: "a", type: "CommandResulted" }),
    sampleEvent({ time: minute(3), correlationId: "b", data: { name: "test" } }),
    sampleEvent({ time: minute(4), correlationId: "c", sessionId: null, data: {} }),
    sampleEvent({ time: minute(5), origin: { surface: "hook", agent: "codex" } }),
    sampleEvent({ time: minute(6), sessionId: "session-2", type: "ModelChanged", data: {} }),
    // Written late by a slow process: its time is before those of its neighbours.
    sampleEvent({ time: minute(2), correlationId: "late" }),
  ];

  test.each<[string, EventFilter, number[]]>([
    ["everything", {}, [1, 2, 3, 4, 5, 6, 7]],
    ["after a number", { sinceSeq: 5 }, [6, 7]],
    ["after the last number", { sinceSeq: 7 }, []],
    ["from a time on", { since: minute(4) }, [4, 5, 6]],
    ["before a time", { until: minute(3) }, [1, 2, 7]],
    ["between times", { since: minute(2), until: minute(4) }, [2, 3, 7]],
    ["between times where nothing was", { since: minute(30), until: minute(40) }, []],
    ["one type", { types: ["CommandResulted"] }, [2]],
    ["several types", { types: ["CommandResulted", "ModelChanged"] }, [2, 6]],
    ["no type at all", { types: [] }, []],
    ["a session", { sessionId: "session-2" }, [6]],
    ["a command", { command: "test" }, [3]],
    ["an agent", { agent: "codex" }, [5]],
    ["a correlation", { correlationId: "a" }, [1, 2]],
    ["the newest", { last: 2 }, [6, 7]],
    ["the newest of a kind", { last: 2, command: "deploy" }, [5, 7]],
    ["more than there are", { last: 100 }, [1, 2, 3, 4, 5, 6, 7]],
    ["none", { last: 0 }, []],
    ["the newest after a number", { last: 5, sinceSeq: 4 }, [5, 6, 7]],
    ["all at once", { correlationId: "a", command: "deploy", since: minute(2), last: 3 }, [2]],
    ["what is not there", { correlationId: "nobody" }, []],
    ["a quote in a name", { command: "'; DROP TABLE event; --" }, []],
  ])("%s", (_, filter, expected) => {
    const { audit } = openFresh();
    for (const event of events) audit.append(event);
    expect([...audit.read(filter)].map(({ seq }) => seq)).toEqual(expected);
  });

  test("goes over many pages in order, and ends with what was there when it began", () => {
    const { audit } = openFresh();
    for (let round = 0; round < 1_000; round++) audit.append(sampleEvent());
    const seen: number[] = [];
    for (const { seq } of audit.read({})) {
      seen.push(seq);
      audit.append(sampleEvent());
    }
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    expect([...audit.read({ last: 450 })].map(({ seq }) => seq).at(0)).toBe(1_551);
  });

  test("can be left early and begun again", () => {
    const { audit } = openFresh();
    for (let round = 0; round < 3; round++) audit.append(sampleEvent());
    const events = audit.read({});
    for (const { seq } of events) if (seq === 2) break;
    expect([...events]).toHaveLength(3);
  });

  test.each([
    ["time >= ? AND time < ?", "event_by_time"],
    ["seq > 0 AND seq <= 9 AND correlation_id = ? ORDER BY seq", "event_by_correlation"],
  ])("where %s uses an index and sorts nothing", (where, index) => {
    const { folder } = openFresh();
    const database = new DatabaseSync(join(folder, "audit.db"));
    onTestFinished(() => database.close());
    const query = `EXPLAIN QUERY PLAN SELECT seq FROM event WHERE ${where}`;
    const plan = JSON.stringify(database.prepare(query).all());
    expect(plan).toContain(index);
    expect(plan).not.toContain("TEMP B-TREE");
  });

  test.each([
    ["body = '{oops'", "no JSON"],
    ["body = '{}'", "no origin or no data"],
    ["type = 'Unheard'", "unknown type `Unheard`"],
  ])("a row with %s is a fault that says so", (change, problem) => {
    const { audit, folder } = openFresh();
    audit.append(sampleEvent());
    edit(folder, `UPDATE event SET ${change}`);
    expect(() => [...audit.read({})]).toThrow(
      expect.objectContaining({
        code: "StoreUnavailable",
        message: expect.stringContaining(problem),
      }),
    );
  });
});

describe("pruning", () => {
  test("deletes what is older, in as many batches as it takes, and nothing else", () => {
    const { audit } = openFresh();
    for (let round = 0; round < 450; round++) audit.append(sampleEvent({ time: minute(1) }));
    audit.append(sampleEvent({ time: minute(2) }));
    expect(audit.prune(minute(2))).toBe(450);
    expect([...audit.read({})].map(({ time }) => time)).toEqual([minute(2)]);
    expect(audit.prune(minute(2))).toBe(0);
  });

  test("keeps the beginning of a dispatch that still runs", () => {
    const { audit } = openFresh();
    audit.openDispatch("running", sampleEvent({ time: minute(1) }));
    audit.append(sampleEvent({ time: minute(1) }));
    expect(audit.prune(minute(9))).toBe(1);
    audit.closeDispatch("running", endOf(sampleEvent({ time: minute(2) })));
    expect([...audit.read({})].map(({ type }) => type)).toEqual([
      "CommandDispatched",
      "CommandResulted",
    ]);
    expect(audit.prune(minute(9))).toBe(2);
  });
});

describe("a dispatch", () => {
  test("is opened and closed with an event each", () => {
    const { audit } = openFresh();
    const opened = audit.openDispatch("d1", sampleEvent());
    const closed = audit.closeDispatch("d1", endOf(sampleEvent()));
    expect([...audit.read({})]).toEqual([opened, closed]);
  });

  test("cannot be closed twice, nor without having been opened", () => {
    const { audit } = openFresh();
    audit.openDispatch("d1", sampleEvent());
    audit.closeDispatch("d1", endOf(sampleEvent()));
    expect(() => audit.closeDispatch("d1", endOf(sampleEvent()))).toThrow("not open");
    expect(() => audit.closeDispatch("d2", endOf(sampleEvent()))).toThrow("not open");
    expect([...audit.read({})]).toHaveLength(2);
  });

  test("that cannot be noted leaves no event either", () => {
    const { audit } = openFresh();
    audit.openDispatch("d1", sampleEvent());
    expect(() => audit.openDispatch("d1", sampleEvent())).toThrow("UNIQUE");
    expect([...audit.read({})]).toHaveLength(1);
  });

  test("of a living process is not lost", () => {
    const { audit } = openFresh();
    audit.openDispatch("d1", sampleEvent());
    expect(audit.closeLost(endOf)).toEqual([]);
  });

  test("that a killed process left open is closed once, whoever comes first", async () => {
    const { audit, folder } = openFresh();
    const owner = startFixture("open-dispatches.ts", { args: [folder, "20"] });
    await owner.nextLine();
    expect(audit.closeLost(endOf)).toEqual([]);
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
    expect(audit.closeLost(endOf)).toEqual([]);
  });

  test("whose unseen owner comes back after it was closed keeps that one end", () => {
    const { audit, folder } = openFresh();
    audit.openDispatch("d1", sampleEvent());
    edit(folder, "UPDATE open_dispatch SET host = 'elsewhere', opened_at = 0");
    const [lost] = audit.closeLost(endOf);
    expect(audit.closeLost(endOf)).toEqual([]);
    expect(audit.closeDispatch("d1", endOf(sampleEvent({ data: { name: "late" } })))).toEqual(lost);
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
