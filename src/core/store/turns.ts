// Turns of sessions: a row each, queued in order over all windows, and the agents' own ids of conversations.
import { identifySelf, isAlive } from "../process/identity.ts";
import { numberIn, ownerIn, type Row, textIn } from "./row.ts";
import { consult, type Database, transact } from "./sqlite.ts";
import { type Turn, type TurnOptions, type TurnProblem, turnIn } from "./turn-row.ts";

/** What is known of a turn when it starts. */
interface TurnStart {
  readonly agent: string;
  readonly model: string | null;
  readonly runId: string;
}

export interface TurnEnd {
  readonly status: "done" | "failed" | "cancelled";
  readonly answer: string | null;
  readonly conversation: string | null;
  readonly problem: TurnProblem | null;
}

export interface TurnStore {
  /** Queues a turn behind all others of its session. */
  add(id: string, sessionId: string, prompt: string, options: TurnOptions): Turn;
  read(id: string): Turn | null;
  /** The newest so many, oldest first. */
  list(sessionId: string, last: number): Turn[];
  count(sessionId: string): number;
  /** Of all sessions, in order. */
  listUnfinished(): Turn[];
  /** Takes the turn for this process; false where it is no longer queued, or another of its session is under way. */
  start(id: string, start: TurnStart): boolean;
  /** The agent's own id of the conversation, as soon as it is known. */
  noteConversation(id: string, conversation: string): void;
  /** `running` ⇄ `waiting`. */
  setWaiting(id: string, isWaiting: boolean): void;
  /** False where it has ended already. */
  end(id: string, end: TurnEnd): boolean;
  /** Ends what dead processes left under way; gives those turns as they are now. */
  endLost(problem: TurnProblem): Turn[];
  /** The turn of this session that a living process has under way, and which process that is. */
  findUnderWay(sessionId: string): TurnUnderWay | null;
  /** Puts these in place of all turns and conversations of the session, at once. */
  restore(sessionId: string, saved: SavedTurns): void;
  listConversations(sessionId: string): AgentConversation[];
  readConversation(sessionId: string, agent: string): ConversationRow | null;
  writeConversation(sessionId: string, agent: string, row: ConversationRow): void;
}

/** Where a session stands with one agent. */
interface ConversationRow {
  readonly conversation: string;
  readonly cwd: string;
  /** The last turn of the session that this conversation knows of. */
  readonly number: number;
}

export interface AgentConversation extends ConversationRow {
  readonly agent: string;
}

export interface TurnUnderWay {
  readonly turn: Turn;
  readonly pid: number;
}

export type SavedTurn = Omit<Turn, "sessionId">;

export interface SavedTurns {
  readonly turns: readonly SavedTurn[];
  readonly conversations: readonly AgentConversation[];
}

export const TURN_SCHEMA = `CREATE TABLE turn (
     id TEXT PRIMARY KEY,
     session_id TEXT NOT NULL,
     number INTEGER NOT NULL,
     status TEXT NOT NULL,
     prompt TEXT NOT NULL,
     answer TEXT,
     wishes TEXT NOT NULL,
     agent TEXT,
     model TEXT,
     run_id TEXT,
     conversation TEXT,
     problem TEXT,
     pid INTEGER,
     started_at TEXT,
     host TEXT,
     queued_at TEXT NOT NULL,
     begun_at TEXT,
     ended_at TEXT,
     UNIQUE (session_id, number)
   ) STRICT;
   CREATE INDEX turn_unfinished ON turn (session_id, number)
     WHERE status IN ('queued', 'running', 'waiting');
   CREATE TABLE conversation (
     session_id TEXT NOT NULL,
     agent TEXT NOT NULL,
     conversation TEXT NOT NULL,
     cwd TEXT NOT NULL,
     number INTEGER NOT NULL,
     PRIMARY KEY (session_id, agent)
   ) STRICT, WITHOUT ROWID;`;

/** The fifth version of the schema: by the word that everything else has for it. */
export const TURN_OPTIONS = "ALTER TABLE turn RENAME COLUMN wishes TO options;";

const UNFINISHED = "status IN ('queued', 'running', 'waiting')";
const UNDER_WAY = "status IN ('running', 'waiting')";

export function openTurnStore(database: Database): TurnStore {
  const find = (id: string): Turn | null => {
    const row = database.statement("SELECT * FROM turn WHERE id = ?").get(id);
    return row === undefined ? null : turnIn(row);
  };
  return {
    add: (id, sessionId, prompt, options) =>
      transact(database, () => {
        database
          .statement(`INSERT INTO turn (id, session_id, number, status, prompt, options, queued_at)
            VALUES (?, ?, (SELECT coalesce(max(number), 0) + 1 FROM turn WHERE session_id = ?),
            'queued', ?, ?, ?)`)
          .run(id, sessionId, sessionId, prompt, JSON.stringify(options), now());
        const added = find(id);
        if (added === null) throw new TypeError("a row that was written is not there");
        return added;
      }),
    read: (id) => consult(database, () => find(id)),
    list: (sessionId, last) =>
      consult(database, () =>
        database
          .statement("SELECT * FROM turn WHERE session_id = ? ORDER BY number DESC LIMIT ?")
          .all(sessionId, last)
          .map(turnIn)
          .reverse(),
      ),
    count: (sessionId) =>
      consult(database, () => {
        const query = "SELECT coalesce(max(number), 0) AS count FROM turn WHERE session_id = ?";
        return numberIn(database.statement(query).get(sessionId) ?? {}, "count");
      }),
    listUnfinished: () =>
      consult(database, () =>
        database
          .statement(`SELECT * FROM turn WHERE ${UNFINISHED} ORDER BY rowid`)
          .all()
          .map(turnIn),
      ),
    start: (id, start) => startTurn(database, id, start),
    noteConversation: (id, conversation) =>
      transact(database, () => {
        database.statement("UPDATE turn SET conversation = ? WHERE id = ?").run(conversation, id);
      }),
    setWaiting: (id, isWaiting) =>
      transact(database, () => {
        database
          .statement(`UPDATE turn SET status = ? WHERE id = ? AND ${UNDER_WAY}`)
          .run(isWaiting ? "waiting" : "running", id);
      }),
    end: (id, end) => transact(database, () => writeEnd(database, id, end)),
    endLost: (problem) => endLostTurns(database, problem),
    findUnderWay: (sessionId) =>
      consult(database, () => {
        // Named by both, so that the index of unfinished ones is used.
        const query = `SELECT * FROM turn WHERE session_id = ? AND ${UNFINISHED} AND ${UNDER_WAY}`;
        const row = database.statement(query).all(sessionId).find(isOwned);
        return row === undefined ? null : { turn: turnIn(row), pid: ownerIn(row).pid };
      }),
    restore: (sessionId, saved) =>
      transact(database, () => restoreTurns(database, sessionId, saved)),
    ...openConversations(database),
  };
}

const openConversations = (
  database: Database,
): Pick<TurnStore, "listConversations" | "readConversation" | "writeConversation"> => ({
  listConversations: (sessionId) =>
    consult(database, () =>
      database
        .statement("SELECT * FROM conversation WHERE session_id = ? ORDER BY agent")
        .all(sessionId)
        .map((row) => ({ agent: textIn(row, "agent"), ...conversationIn(row) })),
    ),
  readConversation: (sessionId, agent) =>
    consult(database, () => {
      const query = "SELECT * FROM conversation WHERE session_id = ? AND agent = ?";
      const row = database.statement(query).get(sessionId, agent);
      return row === undefined ? null : conversationIn(row);
    }),
  writeConversation: (sessionId, agent, row) =>
    transact(database, () => putConversation(database, sessionId, { agent, ...row })),
});

const now = (): string => new Date().toISOString();

/** First come, first served: a turn starts when it is the lowest unfinished of its session. */
function startTurn(database: Database, id: string, { agent, model, runId }: TurnStart): boolean {
  const { pid, startedAt, host } = identifySelf();
  return transact(database, () => {
    const { changes } = database
      .statement(`UPDATE turn SET status = 'running', agent = ?, model = ?, run_id = ?,
        pid = ?, started_at = ?, host = ?, begun_at = ?
        WHERE id = ? AND status = 'queued' AND NOT EXISTS (SELECT 1 FROM turn AS other
          WHERE other.session_id = turn.session_id AND other.number < turn.number
          AND other.status IN ('queued', 'running', 'waiting'))`)
      .run(agent, model, runId, pid, startedAt, host, now(), id);
    return Number(changes) > 0;
  });
}

function writeEnd(database: Database, id: string, end: TurnEnd): boolean {
  const { status, answer, conversation, problem } = end;
  const { changes } = database
    .statement(`UPDATE turn SET status = ?, answer = coalesce(?, answer),
      conversation = coalesce(?, conversation), problem = ?, ended_at = ?
      WHERE id = ? AND ${UNFINISHED}`)
    .run(
      status,
      answer,
      conversation,
      problem === null ? null : JSON.stringify(problem),
      now(),
      id,
    );
  return Number(changes) > 0;
}

/** An owner that cannot be seen from here is left alone: the lease on its session decides about it. */
function endLostTurns(database: Database, problem: TurnProblem): Turn[] {
  const unfinished = consult(database, () =>
    database.statement(`SELECT * FROM turn WHERE ${UNFINISHED}`).all(),
  );
  const lost = unfinished.filter((row) => {
    const { owner, options } = turnIn(row);
    const asker = owner ?? options.asker;
    return asker !== undefined && isAlive(asker) === false;
  });
  if (lost.length === 0) return [];
  const end: TurnEnd = { status: "failed", answer: null, conversation: null, problem };
  return transact(database, () =>
    lost.flatMap((row) => {
      const id = textIn(row, "id");
      if (!writeEnd(database, id, end)) return [];
      return database.statement("SELECT * FROM turn WHERE id = ?").all(id).map(turnIn);
    }),
  );
}

const isOwned = (row: Row): boolean => isAlive(ownerIn(row)) !== false;

function putConversation(database: Database, sessionId: string, row: AgentConversation): void {
  database
    .statement(`INSERT OR REPLACE INTO conversation (session_id, agent, conversation, cwd, number)
      VALUES (?, ?, ?, ?, ?)`)
    .run(sessionId, row.agent, row.conversation, row.cwd, row.number);
}

function restoreTurns(database: Database, sessionId: string, saved: SavedTurns): void {
  for (const table of ["turn", "conversation"])
    database.statement(`DELETE FROM ${table} WHERE session_id = ?`).run(sessionId);
  const insert =
    database.statement(`INSERT INTO turn (id, session_id, number, status, prompt, answer,
    options, agent, model, run_id, conversation, problem, queued_at, begun_at, ended_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const turn of saved.turns) {
    const { agent, model, runId, conversation, queuedAt, startedAt, endedAt } = turn;
    insert.run(
      ...[turn.id, sessionId, turn.number, turn.status, turn.prompt, turn.answer],
      ...[JSON.stringify(turn.options), agent, model, runId, conversation],
      turn.problem === null ? null : JSON.stringify(turn.problem),
      ...[queuedAt, startedAt, endedAt],
    );
  }
  for (const row of saved.conversations) putConversation(database, sessionId, row);
}

const conversationIn = (row: Row): ConversationRow => ({
  conversation: textIn(row, "conversation"),
  cwd: textIn(row, "cwd"),
  number: numberIn(row, "number"),
});
