// The tables of bench in PostgreSQL. The queue's own are pg-boss's business, in a schema beside.
import { fault } from "../../core/command/fault.ts";
import { numberIn } from "../../core/store/row.ts";
import type { Queryable, Server } from "../../queue/server.ts";

export const QUEUE_SCHEMA = "adjutant_bench_queue";

/** The SQL that leads from version n to n + 1; never changed once released, only added to. */
const MIGRATIONS = [
  `CREATE TABLE adjutant_bench.run (
     id text PRIMARY KEY,
     suite text NOT NULL,
     suite_file text NOT NULL,
     started_at text NOT NULL,
     finished_at text,
     state text NOT NULL,
     trials integer NOT NULL,
     definition text NOT NULL,
     concurrency integer NOT NULL,
     usd_limit double precision,
     number integer GENERATED ALWAYS AS IDENTITY
   );
   CREATE TABLE adjutant_bench.trial (
     run_id text NOT NULL REFERENCES adjutant_bench.run,
     key text NOT NULL,
     place integer NOT NULL,
     agent_id text NOT NULL,
     agent_limit integer,
     agent_rate integer,
     labels text[] NOT NULL,
     plan text NOT NULL,
     state text NOT NULL,
     attempt integer NOT NULL DEFAULT 0,
     not_before timestamptz NOT NULL DEFAULT '-infinity',
     token text,
     worker text,
     heartbeat_at timestamptz,
     started_at timestamptz,
     job_id uuid NOT NULL,
     job_number integer GENERATED ALWAYS AS IDENTITY,
     PRIMARY KEY (run_id, key)
   );
   CREATE INDEX trial_queued ON adjutant_bench.trial (run_id, place) WHERE state = 'queued';
   CREATE INDEX trial_claimed ON adjutant_bench.trial (run_id) WHERE state = 'claimed';
   CREATE INDEX trial_begun ON adjutant_bench.trial (started_at);
   CREATE TABLE adjutant_bench.result (
     run_id text NOT NULL,
     key text NOT NULL,
     fingerprint text NOT NULL,
     ending text NOT NULL,
     cost_usd double precision,
     started_at text NOT NULL,
     result text NOT NULL,
     number integer GENERATED ALWAYS AS IDENTITY,
     PRIMARY KEY (run_id, key),
     FOREIGN KEY (run_id, key) REFERENCES adjutant_bench.trial
   );
   CREATE INDEX result_by_fingerprint ON adjutant_bench.result (fingerprint);
   CREATE TABLE adjutant_bench.content (hash text PRIMARY KEY, bytes bytea NOT NULL);`,
  "ALTER TABLE adjutant_bench.content ADD COLUMN put_at timestamptz NOT NULL DEFAULT '-infinity'",
  // What is known of a job is pg-boss's alone; a trial without a result names its job.
  `ALTER TABLE adjutant_bench.trial ALTER COLUMN job_id DROP NOT NULL;
   UPDATE adjutant_bench.trial SET job_id = NULL WHERE state = 'done';
   DO $$ BEGIN
     IF to_regclass('adjutant_bench_queue.job') IS NOT NULL THEN
       UPDATE adjutant_bench_queue.job SET group_id = trial.agent_id
       FROM adjutant_bench.trial WHERE trial.job_id = job.id;
     END IF;
   END $$;
   DROP INDEX adjutant_bench.trial_queued, adjutant_bench.trial_claimed, adjutant_bench.trial_begun;
   ALTER TABLE adjutant_bench.trial DROP COLUMN state, DROP COLUMN attempt, DROP COLUMN not_before,
     DROP COLUMN token, DROP COLUMN worker, DROP COLUMN heartbeat_at, DROP COLUMN started_at;
   CREATE INDEX trial_open ON adjutant_bench.trial (run_id, place) WHERE job_id IS NOT NULL;
   CREATE UNIQUE INDEX trial_job ON adjutant_bench.trial (job_id) WHERE job_id IS NOT NULL;`,
];

/** Brings the schema to what this program knows; many may come at once. */
export async function prepareTables(server: Server): Promise<void> {
  await server.transact(async (inside) => {
    const found = await readVersion(inside);
    const known = MIGRATIONS.length;
    if (found > known) {
      const hint = "update Adjutant, or name another database";
      throw fault("StoreTooNew", { path: server.name, found, known }, { hint });
    }
    for (const sql of MIGRATIONS.slice(found)) await inside.query(sql);
    if (found < known)
      await inside.query("UPDATE adjutant_bench.version SET version = $1", [known]);
  }, "adjutant_bench schema");
}

async function readVersion(inside: Queryable): Promise<number> {
  const [{ there } = { there: null }] = await inside.query(
    "SELECT to_regclass('adjutant_bench.version')::text AS there",
  );
  if (there === null)
    await inside.query(
      `CREATE SCHEMA IF NOT EXISTS adjutant_bench;
       CREATE TABLE adjutant_bench.version (version integer NOT NULL);
       INSERT INTO adjutant_bench.version VALUES (0)`,
    );
  const [row] = await inside.query("SELECT version FROM adjutant_bench.version");
  return row === undefined ? 0 : numberIn(row, "version");
}
