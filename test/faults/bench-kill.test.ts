import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { TrialResult } from "../../src/bench/suite/trial.ts";
import { type BenchHome, makeBenchHome } from "../bench/run/bench-home.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { inTier, SEED } from "../support/tier.ts";

const KILLS = inTier(2, 50);
const REPEAT = inTier(4, 40);

const random = seededRandom(SEED);

/** Each try leaves a process behind that only its run's id leads to. */
const AGENT = `(cd / && setsid sleep 300 </dev/null >/dev/null 2>&1 &)
echo two > file.txt
echo done
`;

const makeSuite = (): BenchHome =>
  makeBenchHome(
    {
      good: { agent: AGENT, evaluators: [{ run: "grep -q two file.txt" }] },
      bad: { agent: AGENT, evaluators: [{ run: "grep -q three file.txt" }] },
    },
    { repeat: REPEAT },
  );

test(`a run that is killed ${KILLS} times comes to the same as one that was left alone`, async () => {
  const undisturbed = await makeSuite().bench("suite.yaml");
  const home = makeSuite();
  let kills = 0;
  let isOver = false;
  while (kills < KILLS) {
    const { child, ended } = home.start("bench", "suite.yaml", ...(isOver ? ["--fresh"] : []));
    // From its very start to well within its trials.
    await Promise.race([ended, pause(30 + (kills % 10) * 50 + random() * 50)]);
    child.kill("SIGKILL");
    isOver = (await ended).signal !== "SIGKILL";
    if (!isOver) kills += 1;
  }
  const { results, exitCode, metadata } = await home.bench("suite.yaml");
  expect(exitCode).toBe(0);
  expect(results.map(whatCounts)).toEqual(undisturbed.results.map(whatCounts));
  expect(new Set(results.map(({ key }) => key)).size).toBe(REPEAT * 2);
  expect(checkIntegrity(home, String(metadata.run))).toEqual({
    integrity: "ok",
    results: REPEAT * 2,
  });
  expectNothingLeft(home);
}, 240_000);

const whatCounts = ({ key, ending, reason, score, evaluations, fingerprint }: TrialResult) => ({
  key,
  ending,
  reason,
  score,
  fingerprint,
  grades: evaluations.map(({ id, status, score: grade }) => [id, status, grade]),
});

function checkIntegrity({ stateDir }: BenchHome, run: string): object {
  const database = new DatabaseSync(join(stateDir, "bench.db"));
  const integrity = database.prepare("PRAGMA integrity_check").get()?.integrity_check;
  const counted = database
    .prepare("SELECT count(*) AS count FROM result WHERE run_id = ?")
    .get(run);
  database.close();
  return { integrity, results: counted?.count };
}

function expectNothingLeft({ folder, stateDir }: BenchHome): void {
  expect(readdirSync(join(stateDir, "bench", "work"))).toEqual([]);
  expect(readdirSync(join(stateDir, "bench", "driven"))).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.startsWith("adjb-"))).toEqual([]);
  const places = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/environ`))
    .map(readEnvironment);
  expect(places.filter((text) => text.includes(folder))).toEqual([]);
}

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // Ended meanwhile.
    return "";
  }
}
