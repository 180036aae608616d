// Questions to a person: a row before they are asked, so that any window, also a later one, can answer; and the
// windows that are there.
import type { JsonValue } from "../command/context.ts";
import { identifySelf, isAlive } from "../process/identity.ts";
import { isJsonObject } from "../project/json-value.ts";
import { jsonIn, ownerIn, type Row, textIn, textOrNullIn } from "./row.ts";
import { consult, type Database, transact } from "./sqlite.ts";

const QUESTION_KINDS = ["confirm", "select", "input", "approval"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** How a question came to its end; `open` before. */
type QuestionStatus = "open" | "answered" | "expired" | "closed";

export interface NewQuestion {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string | null;
  readonly kind: QuestionKind;
  /** Who asks, and what for: `claude-code wants to run`, masked. */
  readonly text: string;
  /** What a window can show besides: tool, arguments, a diff, the rule that would be remembered; masked. */
  readonly details: { readonly [key: string]: JsonValue };
  readonly choices: readonly string[];
  /** The safe answer, given when nobody answers in time. */
  readonly fallback: JsonValue;
  readonly deadlineAt: string | null;
  /** It stays open when its asker dies: whoever goes on with the work adopts it. */
  readonly isDurable?: boolean;
}

export interface Question extends NewQuestion {
  readonly status: QuestionStatus;
  readonly answer: JsonValue;
  /** The window that answered: `console`, `shell`, `web`. */
  readonly answeredBy: string | null;
  readonly askedAt: string;
}

export interface QuestionStore {
  ask(question: NewQuestion): Question;
  read(id: string): Question | null;
  listOpen(): Question[];
  /** The first answer wins: false where it is no longer open. */
  answer(id: string, answer: JsonValue, by: string): boolean;
  /** Ends it without a person's word. */
  close(id: string, status: "expired" | "closed"): boolean;
  /** This process waits for it from now on; false where it is no longer open. */
  adopt(id: string): boolean;
  /** Whoever waited for it does so no more; nothing where another has adopted it. */
  withdraw(id: string): boolean;
  /** Closes what dead askers left open and what is past its deadline. */
  closeLost(now: string): Question[];
}

// Nothing uses the table `window` any more: it stays because migrations are never changed.
export const QUESTION_SCHEMA = `CREATE TABLE question (
     id TEXT PRIMARY KEY,
     session_id TEXT NOT NULL,
     turn_id TEXT,
     kind TEXT NOT NULL,
     text TEXT NOT NULL,
     details TEXT NOT NULL,
     choices TEXT NOT NULL,
     fallback TEXT NOT NULL,
     deadline_at TEXT,
     status TEXT NOT NULL,
     answer TEXT,
     answered_by TEXT,
     asked_at TEXT NOT NULL,
     pid INTEGER NOT NULL,
     started_at TEXT NOT NULL,
     host TEXT NOT NULL
   ) STRICT;
   CREATE INDEX question_open ON question (asked_at) WHERE status = 'open';
   CREATE TABLE window (
     id TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     session_id TEXT,
     pid INTEGER NOT NULL,
     started_at TEXT NOT NULL,
     host TEXT NOT NULL,
     heartbeat_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`;

export function openQuestionStore(database: Database): QuestionStore {
  const find = (id: string): Question | null => {
    const row = database.statement("SELECT * FROM question WHERE id = ?").get(id);
    return row === undefined ? null : questionIn(row);
  };
  const end = (id: string, status: QuestionStatus, answer: JsonValue | null, by: string | null) =>
    Number(
      database
        .statement(`UPDATE question SET status = ?, answer = ?, answered_by = ?
          WHERE id = ? AND status = 'open'`)
        .run(status, answer === null ? null : JSON.stringify(answer), by, id).changes,
    ) > 0;
  return {
    ask: (question) =>
      transact(database, () => {
        insertQuestion(database, question);
        const asked = find(question.id);
        if (asked === null) throw new TypeError("a row that was written is not there");
        return asked;
      }),
    read: (id) => consult(database, () => find(id)),
    listOpen: () => consult(database, () => listOpenRows(database).map(questionIn)),
    answer: (id, answer, by) => transact(database, () => end(id, "answered", answer, by)),
    close: (id, status) => transact(database, () => end(id, status, null, null)),
    adopt: (id) => transact(database, () => takeOver(database, id)),
    withdraw: (id) =>
      transact(database, () => isOwn(database, id) && end(id, "closed", null, null)),
    closeLost: (now) => {
      const rows = consult(database, () => listOpenRows(database));
      const lost = rows.filter(
        (row) => isPast(row, now) || (!isDurable(row) && isAlive(ownerIn(row)) === false),
      );
      if (lost.length === 0) return [];
      return transact(database, () =>
        lost.flatMap((row) => {
          const id = textIn(row, "id");
          const isEnded = end(id, isPast(row, now) ? "expired" : "closed", null, null);
          return (isEnded ? find(id) : null) ?? [];
        }),
      );
    },
  };
}

/** The third version of the schema: what a workflow asks waits for days, over hosts. */
export const DURABLE_QUESTIONS =
  "ALTER TABLE question ADD COLUMN durable INTEGER NOT NULL DEFAULT 0;";

const isDurable = (row: Row): boolean => row.durable === 1;

const isPast = (row: Row, now: string): boolean => {
  const deadline = textOrNullIn(row, "deadline_at");
  return deadline !== null && deadline < now;
};

const listOpenRows = (database: Database): Row[] =>
  database.statement("SELECT * FROM question WHERE status = 'open' ORDER BY asked_at, id").all();

function insertQuestion(database: Database, question: NewQuestion): void {
  const { pid, startedAt, host } = identifySelf();
  const { id, sessionId, turnId, kind, text, details, choices, fallback, deadlineAt } = question;
  database
    .statement(`INSERT INTO question (id, session_id, turn_id, kind, text, details, choices, fallback,
      deadline_at, status, asked_at, pid, started_at, host, durable)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?)`)
    .run(
      ...[id, sessionId, turnId, kind, text],
      ...[details, choices, fallback].map((value) => JSON.stringify(value)),
      ...[deadlineAt, new Date().toISOString(), pid, startedAt, host],
      question.isDurable === true ? 1 : 0,
    );
}

function takeOver(database: Database, id: string): boolean {
  const { pid, startedAt, host } = identifySelf();
  const adopted = database
    .statement(`UPDATE question SET pid = ?, started_at = ?, host = ?
      WHERE id = ? AND status = 'open'`)
    .run(pid, startedAt, host, id);
  return Number(adopted.changes) > 0;
}

function isOwn(database: Database, id: string): boolean {
  const row = database.statement("SELECT * FROM question WHERE id = ?").get(id);
  const { pid, startedAt, host } = identifySelf();
  const owner = row === undefined ? null : ownerIn(row);
  return owner?.pid === pid && owner.startedAt === startedAt && owner.host === host;
}

// A question as it lies on the disk.

function questionIn(row: Row): Question {
  const [kind, status] = [textIn(row, "kind"), textIn(row, "status")];
  const [details, choices] = [jsonIn(row, "details"), jsonIn(row, "choices")];
  return {
    id: textIn(row, "id"),
    sessionId: textIn(row, "session_id"),
    turnId: textOrNullIn(row, "turn_id"),
    kind: QUESTION_KINDS.find((known) => known === kind) ?? "confirm",
    text: textIn(row, "text"),
    details: isJsonObject(details) ? details : {},
    choices: Array.isArray(choices) ? choices.map(String) : [],
    fallback: jsonIn(row, "fallback"),
    deadlineAt: textOrNullIn(row, "deadline_at"),
    ...(isDurable(row) ? { isDurable: true } : {}),
    status: STATUSES.find((known) => known === status) ?? "closed",
    answer: row.answer === null ? null : jsonIn(row, "answer"),
    answeredBy: textOrNullIn(row, "answered_by"),
    askedAt: textIn(row, "asked_at"),
  };
}

const STATUSES: readonly QuestionStatus[] = ["open", "answered", "expired", "closed"];
