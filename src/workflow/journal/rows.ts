// Runs and entries as they lie in `workflow.db`.
import { APPROVAL_MODES, type JsonValue } from "../../core/command/context.ts";
import { isJsonObject } from "../../core/project/json-value.ts";
import { jsonIn, numberIn, type Row, textIn, textOrNullIn } from "../../core/store/row.ts";
import { RowDamaged } from "../../core/store/storage-fault.ts";
import type { BudgetLimits } from "../definition/workflow.ts";
import {
  type CallUsage,
  type ControlRequest,
  ENTRY_STATUSES,
  type EntryKey,
  type JournalEntry,
  RUN_STATUSES,
  type RunRecord,
} from "./journal.ts";

const FIRST_SCHEMA = `CREATE TABLE run (
     id TEXT PRIMARY KEY,
     workflow TEXT NOT NULL,
     form TEXT NOT NULL,
     file TEXT NOT NULL,
     source TEXT NOT NULL,
     source_hash TEXT NOT NULL,
     args TEXT,
     root TEXT NOT NULL,
     cwd TEXT NOT NULL,
     session_id TEXT,
     agent TEXT,
     model TEXT,
     mode TEXT,
     limits TEXT NOT NULL,
     at_once INTEGER NOT NULL,
     status TEXT NOT NULL,
     reason TEXT,
     waiting_until TEXT,
     wish TEXT,
     phase TEXT,
     result TEXT,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     ended_at TEXT,
     active_ms INTEGER NOT NULL DEFAULT 0,
     pid INTEGER,
     started_at TEXT,
     host TEXT,
     heartbeat_at INTEGER
   ) STRICT;
   CREATE INDEX run_created ON run (created_at);
   CREATE TABLE entry (
     run_id TEXT NOT NULL,
     number INTEGER NOT NULL,
     kind TEXT NOT NULL,
     path TEXT NOT NULL,
     content TEXT NOT NULL,
     ordinal INTEGER NOT NULL,
     label TEXT NOT NULL,
     phase TEXT,
     asked TEXT NOT NULL,
     status TEXT NOT NULL,
     result TEXT,
     problem TEXT,
     agent TEXT,
     model TEXT,
     session_id TEXT,
     conversation TEXT,
     run_ids TEXT NOT NULL DEFAULT '[]',
     worktree TEXT,
     usage TEXT,
     starts INTEGER NOT NULL DEFAULT 1,
     wish TEXT,
     waiting TEXT,
     begun_at TEXT NOT NULL,
     ended_at TEXT,
     PRIMARY KEY (run_id, number)
   ) STRICT;
   CREATE INDEX entry_wished ON entry (run_id, number) WHERE wish IS NOT NULL;
   CREATE INDEX entry_alike ON entry (agent, model, ended_at) WHERE status = 'done' AND usage IS NOT NULL;
   CREATE TABLE pause (agent TEXT PRIMARY KEY, until TEXT NOT NULL, times INTEGER NOT NULL) STRICT;`;

/** The second version: by the word that everything else has for it. */
const REQUESTED = `ALTER TABLE run RENAME COLUMN wish TO requested;
   ALTER TABLE entry RENAME COLUMN wish TO requested;
   DROP INDEX entry_wished;
   CREATE INDEX entry_requested ON entry (run_id, number) WHERE requested IS NOT NULL;`;

export const JOURNAL_MIGRATIONS = [FIRST_SCHEMA, REQUESTED];

const RUN_REQUESTS: readonly ControlRequest[] = ["pause", "stop"];
const ENTRY_REQUESTS: readonly JournalEntry["requested"][] = ["skip", "retry"];
const FORMS = ["script", "stages"] as const;
const KINDS = ["agent", "command", "ask", "file", "sleep", "now", "random"] as const;

/** Whether its owner lives is for the caller to say. */
export function runIn(row: Row, owner: RunRecord["owner"]): RunRecord {
  return {
    id: textIn(row, "id"),
    workflow: textIn(row, "workflow"),
    form: oneOf(FORMS, row, "form"),
    file: textIn(row, "file"),
    source: textIn(row, "source"),
    sourceHash: textIn(row, "source_hash"),
    args: jsonOrNoneIn(row, "args"),
    root: textIn(row, "root"),
    cwd: textIn(row, "cwd"),
    sessionId: textOrNullIn(row, "session_id"),
    agent: textOrNullIn(row, "agent"),
    model: textOrNullIn(row, "model"),
    mode: row.mode === null ? null : oneOf(APPROVAL_MODES, row, "mode"),
    limits: limitsIn(jsonIn(row, "limits")),
    atOnce: numberIn(row, "at_once"),
    status: oneOf(RUN_STATUSES, row, "status"),
    reason: textOrNullIn(row, "reason"),
    waitingUntil: textOrNullIn(row, "waiting_until"),
    requested: controlRequestIn(row),
    phase: textOrNullIn(row, "phase"),
    result: jsonOrNoneIn(row, "result"),
    createdAt: textIn(row, "created_at"),
    updatedAt: textIn(row, "updated_at"),
    endedAt: textOrNullIn(row, "ended_at"),
    activeMs: numberIn(row, "active_ms"),
    owner,
  };
}

export const controlRequestIn = (row: Row): ControlRequest =>
  RUN_REQUESTS.find((known) => known === row.requested) ?? null;

export function entryIn(row: Row): JournalEntry {
  return {
    ...keyIn(row),
    runId: textIn(row, "run_id"),
    label: textIn(row, "label"),
    phase: textOrNullIn(row, "phase"),
    asked: jsonIn(row, "asked"),
    result: jsonOrNoneIn(row, "result"),
    problem: problemIn(row),
    agent: textOrNullIn(row, "agent"),
    model: textOrNullIn(row, "model"),
    sessionId: textOrNullIn(row, "session_id"),
    conversation: textOrNullIn(row, "conversation"),
    runIds: listIn(jsonIn(row, "run_ids")),
    worktree: worktreeIn(row),
    usage: row.usage === null ? null : usageIn(row),
    waiting: textOrNullIn(row, "waiting"),
    startedAt: textIn(row, "begun_at"),
    endedAt: textOrNullIn(row, "ended_at"),
  };
}

export function keyIn(row: Row): EntryKey {
  return {
    number: numberIn(row, "number"),
    kind: oneOf(KINDS, row, "kind"),
    path: textIn(row, "path"),
    content: textIn(row, "content"),
    ordinal: numberIn(row, "ordinal"),
    status: oneOf(ENTRY_STATUSES, row, "status"),
    starts: numberIn(row, "starts"),
    requested: ENTRY_REQUESTS.find((known) => known === row.requested) ?? null,
  };
}

export function usageIn(row: Row): CallUsage {
  const fields = objectOf(jsonIn(row, "usage"));
  return {
    inputTokens: numberOrNull(fields.inputTokens),
    outputTokens: numberOrNull(fields.outputTokens),
    totalTokens: numberOrNull(fields.totalTokens),
    costUsd: numberOrNull(fields.costUsd),
  };
}

function limitsIn(value: JsonValue): BudgetLimits {
  const fields = objectOf(value);
  return {
    usd: numberOrNull(fields.usd),
    tokens: numberOrNull(fields.tokens),
    calls: numberOrNull(fields.calls),
    timeMs: numberOrNull(fields.timeMs),
  };
}

function problemIn(row: Row): JournalEntry["problem"] {
  if (row.problem === null) return null;
  const fields = objectOf(jsonIn(row, "problem"));
  return { code: String(fields.code), message: String(fields.message) };
}

function worktreeIn(row: Row): JournalEntry["worktree"] {
  if (row.worktree === null) return null;
  const fields = objectOf(jsonIn(row, "worktree"));
  return {
    path: String(fields.path),
    branch: String(fields.branch),
    base: String(fields.base),
  };
}

const jsonOrNoneIn = (row: Row, column: string): JsonValue | undefined =>
  row[column] === null ? undefined : jsonIn(row, column);

const listIn = (value: JsonValue): string[] => (Array.isArray(value) ? value.map(String) : []);

const objectOf = (value: JsonValue): { readonly [key: string]: JsonValue } =>
  isJsonObject(value) ? value : {};

const numberOrNull = (value: JsonValue | undefined): number | null =>
  typeof value === "number" ? value : null;

function oneOf<const Known extends string>(
  known: readonly Known[],
  row: Row,
  column: string,
): Known {
  const found = known.find((word) => word === row[column]);
  if (found === undefined) throw new RowDamaged(`a row has an unknown word in \`${column}\``);
  return found;
}
