import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ok } from "../../src/command/result.ts";
import { createLoopWatch } from "../../src/dispatch/loop-watch.ts";
import { runProgram } from "./running-program.ts";
import type { Handler } from "./test-program.ts";

function blockLoop(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test.each<[what: string, run: Handler]>([
  [
    "from the start",
    () => {
      blockLoop(1_200);
      return ok();
    },
  ],
  [
    "after a while",
    async () => {
      await pause(150);
      blockLoop(1_200);
      await pause(1);
      return ok();
    },
  ],
])("a handler that blocks the event loop for over a second is a diagnostic: %s", async (_, run) => {
  const program = runProgram({ act: { run } });
  expect((await program.send("act")).kind).toBe("ok");
  const [diagnostic, ...others] = program.events("Diagnostic");
  expect(diagnostic?.data).toEqual({
    code: "LoopBlocked",
    where: "handler",
    blockedMs: expect.any(Number),
  });
  expect(Number(diagnostic?.data.blockedMs)).toBeGreaterThan(1_000);
  expect(others).toEqual([]);
});

describe("the watch", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance", "hrtime"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("says nothing of handlers that take long without blocking", () => {
    const blocked: number[] = [];
    const watch = createLoopWatch((milliseconds) => blocked.push(milliseconds));
    const leaves = [watch.enter(), watch.enter()];
    vi.advanceTimersByTime(60_000);
    for (const leave of leaves) leave();
    expect(blocked).toEqual([]);
  });

  test("keeps no timer when nobody runs", () => {
    const watch = createLoopWatch(() => {});
    const leaves = [watch.enter(), watch.enter()];
    expect(vi.getTimerCount()).toBe(1);
    for (const leave of leaves) leave();
    expect(vi.getTimerCount()).toBe(0);
  });
});
