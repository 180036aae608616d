// Worker processes of the built program on a real PostgreSQL.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { BenchStore } from "../src/bench/store/store.ts";
import type { SuiteAgent } from "../src/bench/suite/suite.ts";
import type { TrialResult } from "../src/bench/suite/trial.ts";
import { newId } from "../src/core/command/new-id.ts";
import { plansOf, runOf } from "../test/bench/store/plans.ts";
import { ADJ, type SuitePrograms } from "./suite-programs.ts";

export interface Field {
  readonly programs: SuitePrograms;
  readonly store: BenchStore;
  readonly address: string;
}

export interface Load {
  readonly agent: SuiteAgent;
  readonly trials: number;
  readonly workers: number;
  /** One is killed so often, and another comes. */
  readonly killEveryMs?: number;
}

export interface Measured {
  readonly seconds: number;
  readonly kills: number;
  /** Trials that somebody died over. */
  readonly takenOver: number;
}

export const replayAgent: SuiteAgent = {
  id: "replay",
  agent: "replay",
  config: {},
  concurrency: null,
  ratePerMinute: null,
  sandbox: { kind: "none", network: true, mounts: [], missing: null },
};

export const waitingAgent = ({ agent }: SuitePrograms, seconds: number): SuiteAgent => ({
  ...replayAgent,
  id: "waiting",
  agent: "command",
  config: { argv: [agent, String(seconds)] },
});

/** From the first trial to the last result; fails unless each trial has exactly one. */
export async function workOff({ store, ...field }: Field, load: Load): Promise<Measured> {
  const runId = newId();
  const plans = plansOf(runId, load.trials, { agent: load.agent });
  await store.createRun(runOf(runId, { trials: load.trials }), plans, []);
  const kills = await letWork({ ...field, runId }, load);
  const results = await store.results(runId);
  checkResults(results, load.trials);
  const began = Math.min(...results.map(({ startedAt }) => Date.parse(startedAt)));
  const ended = results.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  return {
    seconds: (Math.max(...ended) - began) / 1_000,
    kills,
    takenOver: results.filter(({ attempts }) => attempts > 1).length,
  };
}

type Place = Omit<Field, "store"> & { readonly runId: string };

/** Until the workers find the run finished; answers with how many were killed. */
async function letWork(place: Place, { workers, killEveryMs }: Load): Promise<number> {
  const atWork = new Set(Array.from({ length: workers }, () => startWorker(place)));
  let kills = 0;
  const killOldest = (): void => {
    const [oldest] = atWork;
    if (oldest === undefined) return;
    atWork.delete(oldest);
    oldest.kill("SIGKILL");
    kills += 1;
    atWork.add(startWorker(place));
  };
  const killer = killEveryMs === undefined ? undefined : setInterval(killOldest, killEveryMs);
  const hasFinished = () => [...atWork].some(({ exitCode }) => exitCode !== null);
  while (!hasFinished()) await pause(20);
  clearInterval(killer);
  for (const worker of atWork) if (worker.exitCode === null) await once(worker, "exit");
  const failed = [...atWork].find(({ exitCode }) => exitCode !== 0);
  if (failed !== undefined) throw new Error(`a worker exited with ${failed.exitCode}`);
  return kills;
}

function checkResults(results: readonly TrialResult[], trials: number): void {
  const { size } = new Set(results.map(({ key }) => key));
  if (size !== trials || results.length !== trials)
    throw new Error(`${results.length} results for ${size} of ${trials} trials`);
  const odd = results.find(({ ending }) => ending !== "passed");
  if (odd !== undefined) throw new Error(`${odd.key} ${odd.ending}: ${odd.reason}`);
}

function startWorker({ address, runId, programs }: Place): ChildProcess {
  const args = [ADJ, "bench", "worker", runId, "--store", address];
  return spawn(process.execPath, args, { env: programs.env, stdio: "ignore" });
}
