// `hooks.db`: how often a limited step passed of late. What is over is forgotten with the next call.
import { join } from "node:path";
import { numberIn } from "./row.ts";
import { consult, type Database, openDatabase, transact } from "./sqlite.ts";

const MIGRATIONS = [
  `CREATE TABLE turn (
     key TEXT NOT NULL,
     until INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX turn_by_key ON turn (key, until);
   CREATE INDEX turn_by_end ON turn (until);`,
];

interface RateRequest {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly now: number;
}

type RateReading = { readonly kind: "taken" } | { readonly kind: "full"; readonly freeAt: number };

/** Counts this call if the limit allows one more, over all processes that ask at the same time. */
export function countCall(stateDir: string, request: RateRequest): RateReading {
  const database = openDatabase({ path: join(stateDir, "hooks.db"), migrations: MIGRATIONS });
  try {
    return transact(database, () => decideCall(database, request));
  } finally {
    consult(database, () => database.close());
  }
}

function decideCall(database: Database, { key, limit, windowMs, now }: RateRequest): RateReading {
  database.statement("DELETE FROM turn WHERE until <= ?").run(now);
  // The one that must end before there is room again: the oldest but for those beyond the limit.
  const query = "SELECT until FROM turn WHERE key = ? ORDER BY until DESC LIMIT 1 OFFSET ?";
  const blocking = database.statement(query).get(key, limit - 1);
  if (blocking !== undefined) return { kind: "full", freeAt: numberIn(blocking, "until") };
  database.statement("INSERT INTO turn (key, until) VALUES (?, ?)").run(key, now + windowMs);
  return { kind: "taken" };
}
