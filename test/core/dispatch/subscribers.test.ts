import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../../../src/core/command/event.ts";
import { ok } from "../../../src/core/command/result.ts";
import { createEventBus } from "../../../src/core/dispatch/events.ts";
import { describeOutcome, makeGate, runProgram } from "./running-program.ts";
import type { Handler } from "./test-program.ts";

const isAnnounced = ({ type }: StoredEvent) => type === "CommandDispatched";

describe("a subscriber that fails", () => {
  test.each<[what: string, fails: (event: StoredEvent) => unknown]>([
    [
      "by a throw",
      () => {
        throw new TypeError("no");
      },
    ],
    ["by a rejection", () => Promise.reject(new TypeError("no"))],
  ])("%s harms no one and is recorded once", async (_, fails) => {
    const program = runProgram({ act: {} });
    const seen: string[] = [];
    program.dispatcher.events.subscribe((event) => (isAnnounced(event) ? fails(event) : null));
    program.dispatcher.events.subscribe(({ type }) => seen.push(type));
    const outcome = await program.send("act");
    await nextTurn();
    expect(describeOutcome(outcome)).toBe("ok - 0");
    expect(seen.toSorted()).toEqual(["CommandDispatched", "CommandResulted", "SubscriberFailed"]);
    const [dispatched] = program.events("CommandDispatched");
    expect(program.events("SubscriberFailed")).toMatchObject([
      {
        correlationId: outcome.correlationId,
        causationId: String(dispatched?.seq),
        data: { problem: "TypeError", of: "CommandDispatched" },
      },
    ]);
  });

  test("every time is recorded once for every event, without an end to it", async () => {
    const program = runProgram({ act: {} });
    program.dispatcher.events.subscribe(() => {
      throw new Error("always");
    });
    await program.send("act");
    const failures = program.events("SubscriberFailed").map(({ data }) => data.of);
    expect(failures).toEqual(["CommandDispatched", "CommandResulted"]);
  });

  test("in company does not set off an endless exchange", async () => {
    const program = runProgram({ act: {} });
    for (let count = 0; count < 3; count += 1)
      program.dispatcher.events.subscribe(() => Promise.reject(new Error("always")));
    expect((await program.send("act")).kind).toBe("ok");
    for (let turns = 0; turns < 20; turns += 1) await nextTurn();
    const recorded = program.events("SubscriberFailed").length;
    expect(recorded).toBeGreaterThanOrEqual(6);
    for (let turns = 0; turns < 20; turns += 1) await nextTurn();
    expect(program.events("SubscriberFailed")).toHaveLength(recorded);
  });
});

describe("events", () => {
  test("are stored before they are shown, in the order of their numbers", async () => {
    const program = runProgram({ act: {} });
    const shown: number[] = [];
    program.dispatcher.events.subscribe(({ seq }) => {
      expect(program.events().at(-1)?.seq).toBe(seq);
      shown.push(seq);
    });
    for (let count = 0; count < 5; count += 1) await program.send("act");
    expect(shown).toHaveLength(10);
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    expect(new Set(shown).size).toBe(10);
  });

  test("published inside a command do not wait for it", async () => {
    const gate = makeGate();
    const run: Handler = async (_, { log }) => {
      log("inside");
      await gate.pass();
      return ok();
    };
    const program = runProgram({ act: { effect: "write", run } });
    const seen: unknown[] = [];
    program.dispatcher.events.subscribe(({ type, data }) => seen.push(`${type} ${data.message}`));
    const acting = program.send("act");
    await gate.reached;
    expect(seen).toEqual(["CommandDispatched undefined", "Diagnostic inside"]);
    expect(program.events("Diagnostic")).toHaveLength(1);
    gate.open();
    await acting;
  });

  test("are not waited for: a subscriber that never ends holds nobody up", async () => {
    const program = runProgram({ act: {} });
    program.dispatcher.events.subscribe(() => new Promise(() => {}));
    expect((await program.send("act")).kind).toBe("ok");
  });

  test("are frozen through and through: nobody can change what the next one sees", async () => {
    const program = runProgram({ act: {} });
    const seen: unknown[] = [];
    program.dispatcher.events.subscribe((event) => {
      expect(() => Reflect.set(event.origin, "surface", "hook")).not.toThrow();
      Object.assign(event.data, { name: "forged" });
    });
    program.dispatcher.events.subscribe(({ data, origin }) => seen.push([data.name, origin]));
    await program.send("act");
    expect(seen).toContainEqual(["act", { surface: "library" }]);
    expect(JSON.stringify(seen)).not.toMatch(/forged|hook/);
    const failed = program.events("SubscriberFailed").map(({ data }) => data.problem);
    expect(failed).toEqual(["TypeError", "TypeError"]);
  });

  test("are copies: what a publisher goes on with stays its own", async () => {
    const data = { list: [1] };
    const bus = createEventBus((event) => ({ ...event, seq: 1 }));
    bus.subscribe(() => undefined);
    const origin = { surface: "library" } as const;
    bus.publish({ time: "", type: "Diagnostic", correlationId: "", sessionId: null, origin, data });
    data.list.push(2);
    expect(data.list).toEqual([1, 2]);
  });

  test("are no more shown to one that has left", async () => {
    const program = runProgram({ act: {} });
    const seen: string[] = [];
    const leave = program.dispatcher.events.subscribe(({ type }) => seen.push(type));
    await program.send("act");
    leave();
    await program.send("act");
    expect(seen).toHaveLength(2);
  });

  test("of the same line differ only in origin from surface to surface", async () => {
    const surfaces = ["cli", "hook", "mcp", "console", "web", "library", "bench"] as const;
    const views = [];
    for (const surface of surfaces) {
      const program = runProgram({ act: { run: (args) => ok(JSON.stringify(args)) } });
      const { durationMs: _, ...outcome } = await program.send("act x --y=z", {
        surface,
        correlationId: "c-1",
      });
      const events = program.events().map(({ time: _time, origin, ...event }) => {
        expect(origin).toEqual({ surface });
        return JSON.stringify(event).replace(/"durationMs":[\d.]+/, "");
      });
      views.push({ outcome, events });
    }
    for (const view of views) expect(view).toEqual(views[0]);
  });
});
