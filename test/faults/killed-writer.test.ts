import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openAudit } from "../../src/core/store/audit.ts";
import { type FixtureProcess, startFixture } from "../core/store/fixture-process.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { inTier, SEED } from "../support/tier.ts";

const KILLS = inTier(12, 200);
const random = seededRandom(SEED);
const LONGEST_LIFE_MS = 30;

test(`no acknowledged event is lost when writers are killed ${KILLS} times`, async () => {
  const folder = temporaryFolder();
  await fillCompileCache(folder);
  const acknowledged: number[] = [];
  for (let round = 0; round < KILLS; round += 2) {
    const pair = [writeUntilKilled(folder, round), writeUntilKilled(folder, round + 1)];
    const seqs = (await Promise.all(pair)).flat();
    expectPresent(folder, seqs);
    acknowledged.push(...seqs);
  }
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expectPresent(folder, acknowledged);
  expectEveryDispatchEndsOnce(folder);
  expect(checkIntegrity(folder)).toBe("ok");
}, 90_000);

function start(folder: string, args: readonly string[]): FixtureProcess {
  const env = { NODE_COMPILE_CACHE: join(folder, "compiled") };
  return startFixture("append-events.ts", { args: [folder, ...args], env });
}

/** A killed process leaves nothing in the cache; without it, most of each life would be compiling. */
async function fillCompileCache(folder: string): Promise<void> {
  expect(await start(folder, ["first", "1"]).ended).toBe(0);
}

/** Every fourth dies at a random moment from its start on, the others while they write. */
async function writeUntilKilled(folder: string, round: number): Promise<number[]> {
  const process = start(folder, [`writer-${round}`]);
  if (round % 4 > 0) await process.nextLine();
  await pause(random() * LONGEST_LIFE_MS * (round % 4 > 0 ? 1 : 4));
  process.child.kill("SIGKILL");
  await process.ended;
  return process.lines.map(Number);
}

function expectPresent(folder: string, seqs: readonly number[]): void {
  const audit = openAudit(folder);
  const sinceSeq = seqs.reduce((lowest, seq) => Math.min(lowest, seq), Number.MAX_SAFE_INTEGER) - 1;
  const present = new Set([...audit.read({ sinceSeq })].map(({ seq }) => seq));
  audit.close();
  expect(seqs.filter((seq) => !present.has(seq))).toEqual([]);
}

function expectEveryDispatchEndsOnce(folder: string): void {
  const audit = openAudit(folder);
  audit.closeLost((opened) => ({ ...opened, type: "CommandResulted" }));
  const events = Map.groupBy(audit.read({}), ({ correlationId }) => correlationId);
  audit.close();
  const types = new Set([...events.values()].map((pair) => pair.map(({ type }) => type).join()));
  expect([...types]).toEqual(["CommandDispatched,CommandResulted"]);
}

function checkIntegrity(folder: string): unknown {
  const database = new DatabaseSync(join(folder, "audit.db"));
  const result = database.prepare("PRAGMA integrity_check").get()?.integrity_check;
  database.close();
  return result;
}
