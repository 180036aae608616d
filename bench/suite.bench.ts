// Suites: a ten-millisecond agent in the embedded store against a bare `xargs` loop, and worker processes
// on PostgreSQL. `node bench/suite.bench.ts --trials 200 --server-trials 500 --rounds 1` is a short one;
// 0 leaves a part out.
import { parseArgs } from "node:util";
import { openPostgresBench } from "../src/bench/store/postgres.ts";
import { startPostgres } from "../test/bench/store/postgres-server.ts";
import { interleave, report } from "./interleave.ts";
import {
  LANES,
  openSuitePrograms,
  runBare,
  runSuite,
  type SuitePrograms,
} from "./suite-programs.ts";
import { type Field, replayAgent, waitingAgent, workOff } from "./suite-server.ts";

const { values } = parseArgs({
  options: {
    trials: { type: "string", default: "1000" },
    "server-trials": { type: "string", default: "10000" },
    rounds: { type: "string", default: "3" },
  },
});
const trials = Number(values.trials);
const serverTrials = Number(values["server-trials"]);
const rounds = Number(values.rounds);

function writeTenMs(programs: SuitePrograms, name: string, given: object, repeat: number): string {
  return programs.writeSuite(name, {
    agents: [{ id: "ten-ms", agent: "command", config: { argv: [programs.agent, "0.01"] } }],
    cases: [{ id: "one", prompt: "go", ...given }],
    repeat,
    limits: { timeout: "1m", concurrency: LANES },
  });
}

async function measureEmbedded(programs: SuitePrograms): Promise<void> {
  const bare = writeTenMs(programs, "bare", {}, trials);
  const timings = await interleave(
    [
      { name: "xargs", run: () => runBare(programs, trials) },
      { name: "suite", run: () => runSuite(programs, bare) },
    ],
    rounds,
  );
  report(`suite: ${trials} trials of a 10 ms agent, ${LANES} at once, SQLite`, timings, [
    { of: "suite", against: "xargs", atMost: 1.3 },
  ]);
}

/** Apart and after the others: files by the ten thousand, removed, slow some file systems down for a minute. */
async function measureExtras(programs: SuitePrograms): Promise<void> {
  const count = Math.min(trials, 200);
  const workspace = { template: "./template" };
  const evaluators = [{ run: "true" }];
  const bare = writeTenMs(programs, "bare", {}, count);
  const templated = writeTenMs(programs, "workspace", { workspace }, count);
  const graded = writeTenMs(programs, "graded", { workspace, evaluators }, count);
  const timings = await interleave(
    [
      { name: "suite", run: () => runSuite(programs, bare) },
      { name: "+ workspace", run: () => runSuite(programs, templated) },
      { name: "+ evaluator", run: () => runSuite(programs, graded) },
    ],
    rounds,
  );
  report(`suite: what workspace and evaluator add, ${count} trials`, timings, []);
  const [plain, place, grade] = timings.map(({ p50 }) => p50 / count);
  if (plain === undefined || place === undefined || grade === undefined) return;
  console.log(`  a workspace of 20 files costs ${(place - plain).toFixed(1)} ms a trial`);
  console.log(`  one evaluator costs ${(grade - place).toFixed(1)} ms a trial`);
}

async function measureOverhead(field: Field): Promise<void> {
  const count = Math.min(serverTrials, 200);
  const { programs } = field;
  const startedAt = performance.now();
  await runBare(programs, count, 1);
  const bareMs = (performance.now() - startedAt) / count;
  const agent = waitingAgent(programs, 0.01);
  const { seconds } = await workOff(field, { agent, trials: count, workers: 1 });
  const ownMs = (seconds * 1_000) / count - bareMs;
  const verdict = ownMs < 50 ? "holds" : "MISSED";
  console.log(
    `  a trial costs ${ownMs.toFixed(1)} ms more than the bare agent's ${bareMs.toFixed(1)} ms (under 50) ${verdict}`,
  );
}

async function measureThroughput(field: Field): Promise<void> {
  const agent = waitingAgent(field.programs, 0.2);
  const count = Math.min(serverTrials, 200);
  const one = await workOff(field, { agent, trials: count, workers: 1 });
  const four = await workOff(field, { agent, trials: count, workers: 4 });
  const gain = one.seconds / four.seconds;
  const verdict = gain >= 3 ? "holds" : `MISSED on ${LANES} cores`;
  console.log(
    `  four workers / one = ${gain.toFixed(2)} × of ${(count / one.seconds).toFixed(1)} trials/s with an agent that waits 200 ms (at least 3) ${verdict}`,
  );
}

async function measureKilled(field: Field): Promise<void> {
  const load = { agent: replayAgent, trials: serverTrials, workers: 4, killEveryMs: 3_000 };
  const { seconds, kills, takenOver } = await workOff(field, load);
  const rate = (serverTrials / seconds).toFixed(0);
  console.log(
    `  ${serverTrials} replay trials, ${kills} workers killed: each exactly one result, ${takenOver} taken over, ${rate} trials/s`,
  );
}

async function measureServer(programs: SuitePrograms): Promise<void> {
  const server = await startPostgres({ isDurable: true });
  try {
    const address = await server.makeDatabase();
    const store = await openPostgresBench(address);
    const field = { programs, store, address };
    console.log(`\nsuite: worker processes on PostgreSQL, ${LANES} cores`);
    await measureOverhead(field);
    await measureThroughput(field);
    await measureKilled(field);
    await store.close();
  } finally {
    await server.remove();
  }
}

const programs = openSuitePrograms();
try {
  if (trials > 0) {
    await measureEmbedded(programs);
    await measureExtras(programs);
  }
  if (serverTrials > 0) await measureServer(programs);
} finally {
  programs.remove();
}
