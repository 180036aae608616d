// Stages of workflows that are attached to sessions: a row each, read by every process, written by the workflow's owner.
import { APPROVAL_MODES, type ApprovalMode, type JsonValue } from "../command/context.ts";
import { isJsonObject } from "../project/json-value.ts";
import type { Permission } from "../step/verdict.ts";
import { jsonIn, numberIn, type Row, textIn, textOrNullIn } from "./row.ts";
import { consult, type Database, transact } from "./sqlite.ts";

export const STAGE_SCHEMA = `CREATE TABLE stage (
     session_id TEXT PRIMARY KEY,
     run_id TEXT NOT NULL,
     workflow TEXT NOT NULL,
     stage TEXT NOT NULL,
     acting INTEGER NOT NULL,
     mode TEXT,
     posture TEXT NOT NULL,
     commands TEXT NOT NULL,
     hidden TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;`;

/** The fourth version of the schema: what a workflow requires counts where the agent is chosen. */
export const STAGE_REQUIREMENTS = `ALTER TABLE stage ADD COLUMN requires TEXT NOT NULL DEFAULT '[]';`;

export function openStageStore(database: Database): StageStore {
  return {
    read: (sessionId) =>
      consult(database, () => {
        const query = "SELECT * FROM stage WHERE session_id = ?";
        const row = database.statement(query).get(sessionId);
        return row === undefined ? null : stageIn(row);
      }),
    write: (sessionId, row) =>
      transact(database, () => {
        if (row === null)
          database.statement("DELETE FROM stage WHERE session_id = ?").run(sessionId);
        else putStage(database, sessionId, row);
      }),
  };
}

function putStage(database: Database, sessionId: string, row: StageRow): void {
  const { runId, workflow, stage, isActing, mode, posture, commands, hide, requires } = row;
  database
    .statement(`INSERT OR REPLACE INTO stage
      (session_id, run_id, workflow, stage, acting, mode, posture, commands, hidden, requires)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      ...[sessionId, runId, workflow, stage, isActing ? 1 : 0, mode],
      ...[posture, commands, hide, requires].map((value) => JSON.stringify(value)),
    );
}

function stageIn(row: Row): StageRow {
  const mode = textOrNullIn(row, "mode");
  return {
    runId: textIn(row, "run_id"),
    workflow: textIn(row, "workflow"),
    stage: textIn(row, "stage"),
    isActing: numberIn(row, "acting") !== 0,
    // What another version wrote and this one has no name for must not loosen anything.
    mode: mode === null ? null : (APPROVAL_MODES.find((known) => known === mode) ?? "ask"),
    posture: itemsIn(row, "posture").map(ruleIn),
    commands: itemsIn(row, "commands").map(String),
    hide: itemsIn(row, "hidden").map(String),
    requires: itemsIn(row, "requires").map(String),
  };
}

function itemsIn(row: Row, column: string): readonly JsonValue[] {
  const value = jsonIn(row, column);
  return Array.isArray(value) ? value : [];
}

const PERMISSIONS: readonly Permission[] = ["deny", "ask", "allow"];

/** What is not a rule denies. */
function ruleIn(value: JsonValue): StageRow["posture"][number] {
  const { action, rule = null } = isJsonObject(value) ? value : {};
  return { action: PERMISSIONS.find((known) => known === action) ?? "deny", rule };
}

// What the stage of a workflow says in a session, as far as others must know: commands, approvals, windows. It is kept per
// session, so that any process can read it; only the workflow's owner writes it.

export interface StageRow {
  readonly runId: string;
  readonly workflow: string;
  readonly stage: string;
  /** From the start of the stage's act to its end. */
  readonly isActing: boolean;
  /** Null where the session's own counts. */
  readonly mode: ApprovalMode | null;
  /** Rules in the language of `match`, strictest first counts. */
  readonly posture: readonly { readonly action: Permission; readonly rule: JsonValue }[];
  /** Destructive commands that do not ask in this stage. */
  readonly commands: readonly string[];
  /** Commands that lists and palettes leave out. */
  readonly hide: readonly string[];
  /** Capabilities that an agent of this session must have. */
  readonly requires: readonly string[];
}

export interface StageStore {
  read(sessionId: string): StageRow | null;
  /** Null takes it away. */
  write(sessionId: string, row: StageRow | null): void;
}
