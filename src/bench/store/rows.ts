// Runs, trials and results as rows: written to SQLite, read from both stores.
import { numberIn, type Row, textIn, textOrNullIn } from "../../core/store/row.ts";
import type { Database } from "../../core/store/sqlite.ts";
import { RowDamaged } from "../../core/store/storage-fault.ts";
import type { TrialPlan, TrialResult } from "../suite/trial.ts";
import type { SuiteRunRecord } from "./store.ts";

export function insertRun(database: Database, run: SuiteRunRecord): void {
  const insert = `INSERT INTO run (id, suite, suite_file, started_at, finished_at, state, trials,
    definition, concurrency, usd_limit) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  database
    .statement(insert)
    .run(
      ...[run.id, run.suite, run.suiteFile, run.startedAt, run.finishedAt, run.state, run.trials],
      ...[run.definition, run.concurrency, run.usdLimit],
    );
}

const STATES = ["running", "done", "cancelled"] as const;

export function readRunRow(row: Row): SuiteRunRecord {
  const state = STATES.find((name) => name === row.state);
  if (state === undefined) throw new RowDamaged("a run has no state");
  return {
    id: textIn(row, "id"),
    suite: textIn(row, "suite"),
    suiteFile: textIn(row, "suite_file"),
    startedAt: textIn(row, "started_at"),
    finishedAt: textOrNullIn(row, "finished_at"),
    state,
    trials: numberIn(row, "trials"),
    definition: textIn(row, "definition"),
    concurrency: numberIn(row, "concurrency"),
    usdLimit: row.usd_limit === null ? null : numberIn(row, "usd_limit"),
  };
}

export function insertTrial(
  database: Database,
  plan: TrialPlan,
  { place, isDone }: { readonly place: number; readonly isDone: boolean },
): void {
  const insert = `INSERT INTO trial (run_id, key, place, agent_id, agent_limit, agent_rate, labels,
    plan, state, attempt, not_before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)`;
  const { agent } = plan;
  database
    .statement(insert)
    .run(
      ...[plan.runId, plan.key, place, agent.id, agent.concurrency, agent.ratePerMinute],
      ...[JSON.stringify(plan.case.labels), JSON.stringify(plan), isDone ? "done" : "queued"],
    );
}

export function insertResult(database: Database, result: TrialResult): void {
  const insert = `INSERT INTO result (run_id, key, fingerprint, ending, cost_usd, started_at, result)
    VALUES (?, ?, ?, ?, ?, ?, ?)`;
  const { runId, key, fingerprint, ending, costUsd, startedAt } = result;
  database
    .statement(insert)
    .run(runId, key, fingerprint, ending, costUsd, startedAt, JSON.stringify(result));
}

/** Written by this program alone, in the transaction that counts it. */
export function resultIn(row: Row): TrialResult {
  return parseRecord<TrialResult>(textIn(row, "result"));
}

export function planIn(row: Row): TrialPlan {
  return parseRecord<TrialPlan>(textIn(row, "plan"));
}

function parseRecord<Record>(text: string): Record {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RowDamaged("a row holds no JSON", { cause });
  }
}
