import { describe, expect, test } from "vitest";
import { drawRun, listChanges, type RunView } from "../../../src/workflow/report/live-view.ts";
import { at, START, sampleCall, sampleCalls, sampleQuestion, sampleRun } from "./sample-run.ts";

const viewAt = (seconds: number, more: Partial<RunView> = {}): RunView => ({
  run: sampleRun(),
  entries: sampleCalls(),
  questions: [sampleQuestion()],
  now: START + seconds * 1_000,
  ...more,
});

describe("a run that is watched", () => {
  test("shows its phases, each call with who does it, time, tokens and cost, and what waits and why", () => {
    expect(drawRun(viewAt(40), 30)).toEqual([
      "review-panel  wf_a1b2c3d4e5f6  running",
      "40.0 s · 3 done, 1 failed, 1 running, 1 waiting · 2,400 tokens · $0.025",
      "Scan",
      "  ✓ 1  list the changed files  command  1.0 s",
      "Review",
      "  ✓ 3  security: src/a.ts  codex gpt-5        8.0 s  1,200 tokens  $0.0125",
      "  ✓ 4  style: src/a.ts     claude-code opus  18.0 s  1,200 tokens  $0.0125  started twice: its owner died, its quota was used up, or somebody wanted it again",
      "  ✗ 5  security: src/b.ts  qwen-code          4.0 s  RATE_LIMIT: the quota of today is used up",
      "  ▸ 6  style: src/b.ts     claude-code opus  34.0 s",
      "Ship",
      "  … 7  Ship it?  ask  10.0 s  review-panel asks: Ship it?; answer with `adj answer q3f2a yes|no`",
    ]);
  });

  test("folds what is over where the screen is small, and never takes more lines than it has", () => {
    const small = drawRun(viewAt(40), 10);
    expect(small).toContain("Scan  1 done");
    expect(small).toContain("  ▸ 6  style: src/b.ts     claude-code opus  34.0 s");
    const many = Array.from({ length: 1_000 }, (_, index) =>
      sampleCall(index + 1, { status: index < 900 ? "done" : "running" }),
    );
    const drawn = drawRun(viewAt(40, { entries: many }), 12);
    expect(drawn).toHaveLength(12);
    expect(drawn[2]).toBe("Review  900 done, 100 running");
    expect(drawn.at(-1)).toBe("  … and 92 lines more");
  });

  test("text of a workflow cannot move the cursor", () => {
    const entries = [
      sampleCall(1, { label: "\u001b[2Jgone\r\nnew line", phase: "\u001b]0;x\u0007" }),
    ];
    const lines = drawRun(viewAt(40, { entries }), 20).join("");
    expect([...lines].filter((character) => character < " ")).toEqual([]);
  });

  test("a quota says until when the run waits", () => {
    const run = sampleRun({
      status: "waiting",
      waitingUntil: at(3_600),
      reason: "codex: usage limit",
    });
    expect(drawRun(viewAt(40, { run }), 20)[0]).toBe(
      "review-panel  wf_a1b2c3d4e5f6  waiting until 2026-11-17 11:00:00 UTC: codex: usage limit",
    );
  });
});

describe("what changed between two looks", () => {
  test("is all there is at first, then only what is new", () => {
    const first = listChanges(null, viewAt(40));
    expect(first.map(({ text }) => text)).toEqual([
      "review-panel (wf_a1b2c3d4e5f6) running",
      "1 Scan: list the changed files done in 1.0 s (command)",
      "3 Review: security: src/a.ts done in 8.0 s (codex gpt-5, 1,200 tokens, $0.0125)",
      "4 Review: style: src/a.ts done in 18.0 s (claude-code opus, 1,200 tokens, $0.0125): started twice: its owner died, its quota was used up, or somebody wanted it again",
      "5 Review: security: src/b.ts failed in 4.0 s (qwen-code): RATE_LIMIT: the quota of today is used up",
      "6 Review: style: src/b.ts runs (claude-code opus)",
      "7 Ship: Ship it? waits (ask): review-panel asks: Ship it?; answer with `adj answer q3f2a yes|no`",
    ]);
    expect(first.at(-1)).toMatchObject({ kind: "call", state: "waits", question: "q3f2a" });
    expect(listChanges(viewAt(40), viewAt(41))).toEqual([]);
    const entries = sampleCalls().map((entry) =>
      entry.number === 6 ? { ...entry, status: "skipped" as const, endedAt: at(41) } : entry,
    );
    const run = sampleRun({ status: "done" });
    expect(listChanges(viewAt(40), viewAt(41, { entries, run })).map(({ text }) => text)).toEqual([
      "6 Review: style: src/b.ts skipped in 35.0 s (claude-code opus)",
      "review-panel (wf_a1b2c3d4e5f6) done",
    ]);
  });

  test("is told in the same order of a run that was over at the first look", () => {
    const result = { exitCode: 127, output: "" };
    const entries = sampleCalls()
      .slice(0, 1)
      .map((entry) => ({ ...entry, result }));
    const run = sampleRun({ status: "failed", reason: "no quota" });
    expect(listChanges(null, viewAt(41, { entries, run })).map(({ text }) => text)).toEqual([
      "review-panel (wf_a1b2c3d4e5f6) running",
      "1 Scan: list the changed files done in 1.0 s (command): exit code 127",
      "review-panel (wf_a1b2c3d4e5f6) failed: no quota",
    ]);
  });
});
