import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decidePollPause,
  decideTurn,
  isGone,
  type SeenTicket,
  SILENCE_MS,
} from "../../../src/core/store/tickets.ts";

const NOW = 1_000_000;
const living = (ticket: number): SeenTicket => ({ ticket, alive: true, heartbeatAt: 0 });
const dead = (ticket: number): SeenTicket => ({ ticket, alive: false, heartbeatAt: NOW });
const silent = (ticket: number, forMs: number): SeenTicket => ({
  ticket,
  alive: "unseen",
  heartbeatAt: NOW - forMs,
});

describe("it is our turn when nobody stands before us", () => {
  test.each<[string, SeenTicket[], string]>([
    ["alone", [living(5)], "ours"],
    ["others behind", [living(5), living(6), dead(7)], "ours"],
    ["a living one ahead", [living(4), living(5)], "wait"],
    ["a living one ahead, given in another order", [living(5), living(4)], "wait"],
    ["a dead one ahead", [dead(4), living(5)], "clear"],
    ["a dead one between", [living(3), dead(4), living(5)], "clear"],
    ["only dead ones behind", [living(4), living(5), dead(6)], "wait"],
    ["an unseen one ahead that was just heard", [silent(4, 100), living(5)], "wait"],
    ["an unseen one at the limit", [silent(4, SILENCE_MS), living(5)], "wait"],
    ["an unseen one beyond the limit", [silent(4, SILENCE_MS + 1), living(5)], "clear"],
    ["a living one in view that sent no heartbeat for long", [living(4), living(5)], "wait"],
    ["our ticket is gone", [living(4), living(6)], "requeue"],
    ["the queue is empty", [], "requeue"],
  ])("%s", (_, queue, kind) => {
    expect(decideTurn(queue, 5, NOW).kind).toBe(kind);
  });
});

test("all who are gone ahead of us are named at once, and nobody else", () => {
  const queue = [dead(1), living(2), silent(3, 60_000), silent(4, 10), living(5), dead(6)];
  expect(decideTurn(queue, 5, NOW)).toEqual({ kind: "clear", gone: [dead(1), silent(3, 60_000)] });
});

test("a heartbeat from before the clock was set back counts as silence", () => {
  expect(isGone(silent(1, -SILENCE_MS - 1), NOW)).toBe(true);
  expect(isGone(silent(1, -1_000), NOW)).toBe(false);
});

test("whatever the queue, at most one living ticket is told that it is its turn", () => {
  const ticket = fc.record({
    ticket: fc.integer({ min: 1, max: 50 }),
    alive: fc.constantFrom<(boolean | "unseen")[]>(true, false, "unseen"),
    heartbeatAt: fc.integer({ min: NOW - 30_000, max: NOW }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(ticket, { selector: (seen) => seen.ticket }), (queue) => {
      const told = queue.filter((seen) => decideTurn(queue, seen.ticket, NOW).kind === "ours");
      expect(told.length).toBeLessThanOrEqual(1);
    }),
  );
});

test.each([
  { ahead: 1, waited: 0, pause: 1 },
  { ahead: 1, waited: 50, pause: 5 },
  { ahead: 1, waited: 60_000, pause: 25 },
  { ahead: 8, waited: 0, pause: 4 },
  { ahead: 1_000, waited: 0, pause: 25 },
])("with $ahead ahead after $waited ms the queue is looked at again in $pause ms", (at) => {
  expect(decidePollPause(at.ahead, at.waited)).toBe(at.pause);
});
