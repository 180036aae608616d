// A run in the real journal, made without running anything: what views and control are tried on.

import type { Journal, RunRecord } from "../../../src/workflow/journal/journal.ts";
import { openJournal } from "../../../src/workflow/journal/sqlite-journal.ts";
import { at, sampleRun } from "../report/sample-run.ts";

const USAGE = { inputTokens: 100, outputTokens: 20, totalTokens: 120, costUsd: 0.5 };

const call = (label: string, phase: string | null) =>
  ({
    kind: "agent",
    path: label,
    content: label,
    ordinal: 0,
    label,
    phase,
    asked: { prompt: `please ${label}` },
    agent: "codex",
    model: "gpt-5",
    sessionId: `of ${label}`,
  }) as const;

/** One call done, one failed, one that its dead owner left under way. */
export function recordRun(stateDir: string, more: Partial<RunRecord> = {}): void {
  const journal = openJournal(stateDir);
  try {
    const { updatedAt: _, owner: __, requested: ___, activeMs: ____, ...run } = sampleRun(more);
    journal.addRun(run);
    recordCalls(journal, run.id);
    if (run.status === "done") journal.changeRun(run.id, { status: "done", endedAt: at(60) });
  } finally {
    journal.close();
  }
}

function recordCalls(journal: Journal, runId: string): void {
  const first = journal.begin(runId, call("look", "Scan"));
  journal.change(runId, first, { status: "done", result: "looked", usage: USAGE });
  const second = journal.begin(runId, call("judge", "Review"));
  journal.change(runId, second, {
    status: "failed",
    problem: { code: "RATE_LIMIT", message: "no more today" },
  });
  journal.begin(runId, call("write", "Review"));
}

export function readRecorded<Result>(stateDir: string, read: (journal: Journal) => Result): Result {
  const journal = openJournal(stateDir);
  try {
    return read(journal);
  } finally {
    journal.close();
  }
}
