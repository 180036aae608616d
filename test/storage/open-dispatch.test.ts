import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../src/dispatch/event.ts";
import { isLost, UNSEEN_LIMIT_MS } from "../../src/storage/open-dispatch.ts";
import { startFixture } from "./fixture-process.ts";
import { openFreshAudit } from "./fresh-audit.ts";
import { sampleEvent } from "./sample-event.ts";

const endOf = (opened: Omit<NewEvent, "type">): NewEvent => ({
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
    const closed = audit.closeDispatch(opened.seq, endOf(sampleEvent()));
    expect([...audit.read({})]).toEqual([opened, closed]);
  });

  test("cannot be closed twice, nor without having been opened", () => {
    const { audit } = openFreshAudit();
    const { seq } = audit.openDispatch(sampleEvent());
    audit.closeDispatch(seq, endOf(sampleEvent()));
    expect(() => audit.closeDispatch(seq, endOf(sampleEvent()))).toThrow("not open");
    expect(() => audit.closeDispatch(99, endOf(sampleEvent()))).toThrow("not open");
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
    expect(audit.closeLost(endOf)).toEqual([]);
  });

  test("that a killed process left open is closed once, whoever comes first", async () => {
    const { audit, folder } = openFreshAudit();
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
    const { audit, folder } = openFreshAudit();
    const { seq } = audit.openDispatch(sampleEvent());
    edit(folder, "UPDATE open_dispatch SET host = 'elsewhere', opened_at = 0");
    const [lost] = audit.closeLost(endOf);
    expect(audit.closeLost(endOf)).toEqual([]);
    expect(audit.closeDispatch(seq, endOf(sampleEvent({ data: { name: "late" } })))).toEqual(lost);
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
