import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../src/core/command/event.ts";
import type { EventFilter } from "../../../src/core/store/stores.ts";
import { openFreshAudit } from "./fresh-audit.ts";
import { sampleEvent } from "./sample-event.ts";

const minute = (number: number) => new Date(Date.UTC(2026, 10, 15, 12, number)).toISOString();

function edit(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, "audit.db"));
  database.exec(sql);
  database.close();
}

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
    const { audit } = openFreshAudit();
    for (const event of events) audit.append(event);
    expect([...audit.read(filter)].map(({ seq }) => seq)).toEqual(expected);
  });

  test("goes over many pages in order, and ends with what was there when it began", () => {
    const { audit } = openFreshAudit();
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
    const { audit } = openFreshAudit();
    for (let round = 0; round < 3; round++) audit.append(sampleEvent());
    const events = audit.read({});
    for (const { seq } of events) if (seq === 2) break;
    expect([...events]).toHaveLength(3);
  });

  test("pages come in order without sorting", () => {
    const { folder } = openFreshAudit();
    const database = new DatabaseSync(join(folder, "audit.db"));
    const query =
      "SELECT seq FROM event WHERE seq > 0 AND seq <= 9 AND correlation_id = ? ORDER BY seq";
    const plan = JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${query}`).all());
    database.close();
    expect(plan).toContain("USING INTEGER PRIMARY KEY");
    expect(plan).not.toContain("TEMP B-TREE");
  });

  test("an event of a type that only another version knows is read as it is", () => {
    const { audit, folder } = openFreshAudit();
    audit.append(sampleEvent());
    edit(folder, "UPDATE event SET type = 'Unheard'");
    expect([...audit.read({})]).toMatchObject([{ type: "Unheard", data: sampleEvent().data }]);
  });

  test.each([
    ["body = '{oops'", "no JSON"],
    ["body = '{}'", "no origin or no data"],
  ])("a row with %s is a fault that says so", (change, problem) => {
    const { audit, folder } = openFreshAudit();
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
