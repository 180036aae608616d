// Trials in PostgreSQL: claimed, kept alive, completed or given back.
import { randomUUID } from "node:crypto";
import type { BenchStore, Claim, ClaimAnswer, WorkerFacts } from "../bench/queue.ts";
import {
  findClaimed,
  lapseClaims,
  lookAround,
  takeNext,
  type Wish,
} from "./bench-postgres-claim.ts";
import type { Desk } from "./bench-postgres-desk.ts";
import { explainServerFailure } from "./bench-postgres-fault.ts";
import { isLeftBy, writeResults } from "./bench-postgres-row.ts";
import { persist, type Queryable } from "./bench-postgres-server.ts";
import { LocalLine } from "./local-line.ts";
import { textIn } from "./row.ts";

export function keepTrials(
  desk: Desk,
): Pick<BenchStore, "claim" | "heartbeat" | "complete" | "retry" | "giveBack"> {
  const { server, queue, clock } = desk;
  const line = new LocalLine();
  const requeue = (claim: Claim, change: string): Promise<boolean> =>
    persist(server, () =>
      server.transact(async (inside) => {
        const job = await leaveTrial(inside, claim, `state = 'queued', ${change}`);
        if (job === null) return isLeftBy(inside, claim, "queued");
        await queue.giveBack(inside, [job], "given back");
        return true;
      }),
    );
  return {
    claim: async (worker, runId) => {
      const token = randomUUID();
      // Who waits for the same lock must not keep the connections that heartbeats need.
      const place = line.join("claim");
      await place.ready;
      try {
        return await persist(server, async (isAgain) => {
          const kept = isAgain ? await findClaimed(server, token) : null;
          if (kept !== null) return { kind: "claimed", claim: kept };
          return claimNext(desk, { worker, runId, token });
        });
      } finally {
        place.leave();
      }
    },
    // Once: the next one is due before another try would help.
    heartbeat: (claim) =>
      sayAlive(desk, claim).catch((error: unknown) => {
        throw explainServerFailure(server.name, error);
      }),
    complete: (claim, result) =>
      persist(server, () =>
        server.transact(async (inside) => {
          const job = await leaveTrial(inside, claim, "state = 'done'");
          if (job === null) return isLeftBy(inside, claim, "done");
          await writeResults(inside, [result]);
          await queue.complete(inside, job);
          return true;
        }),
      ),
    retry: (claim, notBefore) => {
      const then = `to_timestamp(${clock.toServer(notBefore)}::double precision / 1000)`;
      return requeue(claim, `not_before = ${then}`);
    },
    giveBack: (claim) => requeue(claim, "attempt = attempt - 1"),
  };
}

interface Asking {
  readonly worker: WorkerFacts;
  readonly runId: string | null;
  readonly token: string;
}

async function claimNext(desk: Desk, asking: Asking): Promise<ClaimAnswer> {
  const { server, queue, clock } = desk;
  const { worker, runId, token } = asking;
  const at = clock.toServer(worker.now);
  const wish: Wish = { token, worker: worker.id, labels: worker.labels, runId, at };
  const askedAt = Date.now();
  const { hasSilent, hasNext, isOpen, serverMs } = await lookAround(server, wish);
  if (clock.hear(serverMs, askedAt)) return claimNext(desk, asking);
  if (hasSilent) await lapseClaims(server, queue, wish);
  const claim = hasSilent || hasNext ? await takeNext(server, queue, wish) : null;
  if (claim !== null) return { kind: "claimed", claim };
  return isOpen ? { kind: "wait", ms: 200 } : { kind: "finished" };
}

async function sayAlive({ server, queue }: Desk, { plan, token }: Claim): Promise<boolean> {
  const [row] = await server.query(
    `UPDATE adjutant_bench.trial SET heartbeat_at = clock_timestamp()
     FROM adjutant_bench.run WHERE run.id = run_id AND run.state = 'running'
       AND run_id = $1 AND key = $2 AND token = $3 AND trial.state = 'claimed' RETURNING job_id`,
    [plan.runId, plan.key, token],
  );
  if (row === undefined) return false;
  await queue.touch(textIn(row, "job_id"));
  return true;
}

/** The trial's job, or null where the claim is lost. The token stays: it tells who left it so. */
async function leaveTrial(
  inside: Queryable,
  { plan, token }: Claim,
  change: string,
): Promise<string | null> {
  const [row] = await inside.query(
    `UPDATE adjutant_bench.trial SET ${change}
     WHERE run_id = $1 AND key = $2 AND token = $3 AND state = 'claimed' RETURNING job_id`,
    [plan.runId, plan.key, token],
  );
  return row === undefined ? null : textIn(row, "job_id");
}
