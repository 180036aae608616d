import { describe, expect, test } from "vitest";
import type { Turn } from "../../../src/core/store/turn-row.ts";
import { NO_USAGE } from "../../../src/workflow/engine/budget.ts";
import { failureOf, readResetTime } from "../../../src/workflow/host/watch-call.ts";

const NOW = Date.parse("2026-11-17T12:00:00.000Z");

describe("when an agent may be asked again", () => {
  test.each<[said: string, until: string | null]>([
    ["Claude AI usage limit reached|1763382600", "2025-11-17T12:30:00.000Z"],
    ["quota resets at 2026-11-17T15:00:00Z", "2026-11-17T15:00:00.000Z"],
    ["Rate limit reached. Please try again in 20s.", "2026-11-17T12:00:20.000Z"],
    ["Rate limit reached, try again in 6m0s", "2026-11-17T12:06:00.000Z"],
    ["You've hit your usage limit. Try again in 2 hours 5 minutes.", "2026-11-17T14:05:00.000Z"],
    ["retry after 1500 ms", "2026-11-17T12:00:01.500Z"],
    ["Please retry in 3.5s", "2026-11-17T12:00:03.500Z"],
    ["429 Too Many Requests", null],
    ["it wrote 20 files in 3 seconds", null],
  ])("%s", (said, until) => {
    expect(readResetTime(said, NOW)).toBe(until);
  });
});

describe("a turn that is not done", () => {
  const turn = (status: Turn["status"], code: string): Turn => ({
    ...{ id: "t", sessionId: "s", number: 1, status, prompt: "", answer: null },
    options: { cwd: "/", root: "/", agent: null, model: null, params: {}, via: null },
    ...{ agent: "codex", model: null, runId: null, conversation: null, owner: null },
    problem: { class: "Agent", code, message: "it went wrong" },
    ...{ queuedAt: "", startedAt: null, endedAt: "" },
  });

  test("was cancelled, or failed with its own code", () => {
    expect(failureOf(turn("cancelled", "Cancelled"), null, NO_USAGE).kind).toBe("cancelled");
    expect(failureOf(turn("failed", "AgentUnknown"), null, NO_USAGE)).toEqual({
      ...{ kind: "failed", code: "AgentUnknown", message: "it went wrong", usage: NO_USAGE },
    });
  });

  test.each([
    ["CODEX_RATE_LIMIT", "quota"],
    ["CLAUDE_OVERLOADED", "quota"],
    ["QWEN_NETWORK", "failed"],
    ["CLAUDE_AUTH_FAILED", "failed"],
  ])("by %s is %s", (code, kind) => {
    expect(failureOf(turn("failed", code), null, NO_USAGE).kind).toBe(kind);
  });
});
