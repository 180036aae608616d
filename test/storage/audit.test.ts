import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import type { NewEvent } from "../../src/dispatch/event.ts";
import { openAudit } from "../../src/storage/audit.ts";
import { startFixture } from "./fixture-process.ts";
import { openAuditUntilEnd, openFreshAudit } from "./fresh-audit.ts";
import { sampleEvent } from "./sample-event.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

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
    const folder = makeTemporaryFolder();
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
    expect(audit.prune(minute(9))).toBe(1);
    audit.closeDispatch(seq, endOf(sampleEvent({ time: minute(2) })));
    expect([...audit.read({})].map(({ type }) => type)).toEqual([
      "CommandDispatched",
      "CommandResulted",
    ]);
    expect(audit.prune(minute(9))).toBe(2);
  });
});
