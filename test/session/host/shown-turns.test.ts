import { expect, test } from "vitest";
import { answerDelta } from "../../../src/agents/log/event.ts";
import { ShownTurns } from "../../../src/session/host/shown-turns.ts";
import { turnOf } from "../console/state/driven-console.ts";

const PLACE = { runId: "r1", offset: 0 };

test("a turn that runs is told first, then all that was shown of it, numbered", () => {
  const shown = new ShownTurns();
  shown.note(turnOf({ id: "later", status: "queued", runId: null }));
  shown.note(turnOf());
  for (const text of ["a", "b"]) shown.add(turnOf(), PLACE, answerDelta(text));
  const waiting = turnOf({ status: "waiting" });
  shown.note(waiting);
  expect(shown.list()).toMatchObject([
    { kind: "turn", turn: waiting },
    { kind: "progress", turnId: "t1", step: 1, event: { text: "a" } },
    { kind: "progress", turnId: "t1", step: 2, event: { text: "b" } },
  ]);
  shown.note(turnOf({ status: "done", endedAt: "now" }));
  expect(shown.list()).toEqual([]);
});

test("of a turn that floods only the newest are kept, under their own numbers", () => {
  const shown = new ShownTurns();
  const all = 20_000;
  for (let at = 0; at < all; at++) shown.add(turnOf(), PLACE, answerDelta("x"));
  const kept = shown.list();
  expect(kept.length).toBeLessThan(all / 2);
  expect(kept.at(-1)).toMatchObject({ step: all });
});
