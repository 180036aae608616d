// Turns what SQLite and the file system raise into a fault that a person can act on.
import { Fault, fault, systemCodeOf } from "../command/fault.ts";

interface Explanation {
  readonly problem: string;
  readonly hint: string;
}

const MOVE_ASIDE = "move it aside with its `-wal` and `-shm` files; a new one is made";
const WRITABLE = "make it writable, or set `ADJ_STATE_DIR` to a folder that is";
const FREE_SPACE = "free some space and try again";

const FULL = { problem: "the disk is full", hint: FREE_SPACE };
const READ_ONLY = { problem: "it or its folder is read-only", hint: WRITABLE };
const FORBIDDEN = { problem: "permission denied", hint: WRITABLE };
const LOCKED = {
  problem: "another process kept it locked",
  hint: "try again when that one is done",
};
const IN_THE_WAY = {
  problem: "something else lies where it or its folder should be",
  hint: "move that away, or set `ADJ_STATE_DIR` to another folder",
};

// Primary result codes, https://sqlite.org/rescode.html
const BY_SQLITE_CODE: Readonly<Record<number, Explanation>> = {
  3: FORBIDDEN,
  5: LOCKED,
  8: READ_ONLY,
  10: { problem: "the disk cannot be read or written", hint: "check the disk and try again" },
  11: { problem: "the file is damaged", hint: MOVE_ASIDE },
  13: FULL,
  14: { problem: "it cannot be opened or made", hint: WRITABLE },
  15: LOCKED,
  26: { problem: "the file is not a database", hint: MOVE_ASIDE },
};

// SQLITE_IOERR_SHMSIZE: no room for the shared-memory file beside the database.
const BY_EXTENDED_CODE: Readonly<Record<number, Explanation>> = { 4874: FULL };

const BY_SYSTEM_CODE: Readonly<Record<string, Explanation>> = {
  ENOSPC: FULL,
  EDQUOT: { problem: "the disk quota is used up", hint: FREE_SPACE },
  EROFS: READ_ONLY,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EEXIST: IN_THE_WAY,
  ENOTDIR: IN_THE_WAY,
  ENOENT: { problem: "its folder cannot be made", hint: "set `ADJ_STATE_DIR` to another folder" },
};

/** A row that does not hold what this program writes. */
export class RowDamaged extends Error {}

/** SQLite's own result code, or null when the error is not SQLite's. */
export function sqliteCodeOf(error: unknown): number | null {
  const isCoded = error instanceof Error && "errcode" in error;
  return isCoded && typeof error.errcode === "number" ? error.errcode : null;
}

function findExplanation(error: unknown): Explanation | null {
  if (error instanceof RowDamaged) return { problem: error.message, hint: MOVE_ASIDE };
  const code = sqliteCodeOf(error);
  if (code !== null) return BY_EXTENDED_CODE[code] ?? BY_SQLITE_CODE[code & 0xff] ?? null;
  return BY_SYSTEM_CODE[systemCodeOf(error) ?? ""] ?? null;
}

/** Faults and bugs pass unchanged; only what the disk or the file did is explained. */
export function explainFailure(path: string, error: unknown): unknown {
  if (error instanceof Fault) return error;
  const explanation = findExplanation(error);
  if (explanation === null) return error;
  const { problem, hint } = explanation;
  return fault("StoreUnavailable", { path, problem }, { hint, cause: error });
}
