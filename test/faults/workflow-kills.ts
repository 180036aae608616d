// Kills the process of a run again and again, and keeps the books beside the journal.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { openJournal } from "../../src/workflow/journal/sqlite-journal.ts";
import { startFixture } from "../core/store/fixture-process.ts";
import { waitUntil } from "../support/wait-until.ts";
import { addTestRun } from "../workflow/engine/scripted-run.ts";

const FIXTURE = "../../../faults/fixtures/workflow-run.ts";

/** Every call that the model was asked, or that the script was answered. */
const readLines = (folder: string, name: "bill" | "handed-on"): string[] => {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
};

const countOf = (bill: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const prompt of bill) counts.set(prompt, (counts.get(prompt) ?? 0) + 1);
  return counts;
};

interface KillPlan {
  readonly folder: string;
  readonly calls: number;
  readonly callMs: number;
  readonly kills: number;
  /** When a life ends: so many calls and so many milliseconds after it began to work. */
  readonly decideLife: () => { readonly calls: number; readonly ms: number };
}

/** Gives how many kills met the run while it worked; at most as many as planned. */
export async function runThroughKills(plan: KillPlan): Promise<number> {
  const { folder, calls, callMs, kills, decideLife } = plan;
  const journal = openJournal(folder);
  const id = addTestRun(journal, { atOnce: 8 });
  const start = () => startFixture(FIXTURE, { args: [folder, id, String(calls), String(callMs)] });
  const startsAtKill = new Map<string, number>();
  const billedWhenKnown = new Map<string, number>();
  let killed = 0;
  for (; killed < kills; killed++) {
    const life = start();
    const before = readLines(folder, "bill").length;
    let isOver = false;
    void life.ended.then(() => {
      isOver = true;
    });
    const span = decideLife();
    await waitUntil(
      () => isOver || readLines(folder, "bill").length >= before + span.calls,
      20_000,
    );
    await pause(span.ms);
    life.child.kill("SIGKILL");
    await life.ended;
    if (life.lines.length > 0) break;
    const bill = countOf(readLines(folder, "bill"));
    for (const entry of journal.listEntries(id)) {
      const prompt = promptOf(entry.asked);
      // It may have been under way already when an earlier life was ended, and not have been taken up since.
      if (entry.status === "running") startsAtKill.set(prompt, entry.starts);
    }
    for (const prompt of readLines(folder, "handed-on"))
      if (!billedWhenKnown.has(prompt)) billedWhenKnown.set(prompt, bill.get(prompt) ?? 0);
  }
  const last = start();
  const ending = JSON.parse(await last.nextLine());
  await last.ended;
  expect(ending).toMatchObject({ kind: "done", census: { calls, done: calls, failed: 0 } });
  expect(ending.result).toEqual(Array.from({ length: calls }, (_, at) => `answer ${at}`));
  const bill = countOf(readLines(folder, "bill"));
  const entries = journal.listEntries(id);
  journal.close();
  expect(entries).toHaveLength(calls);
  for (const { asked, starts } of entries) {
    const prompt = promptOf(asked);
    const billed = bill.get(prompt) ?? 0;
    // Once, and once more for each kill that met it; never after the script knew its result.
    expect(billed).toBeGreaterThanOrEqual(1);
    expect(billed).toBeLessThanOrEqual(starts);
    expect(starts).toBe(1 + (startsAtKill.get(prompt) ?? 0));
    if (billedWhenKnown.has(prompt)) expect(billed).toBe(billedWhenKnown.get(prompt));
  }
  const again = entries
    .filter(({ starts }) => starts > 1)
    .map(({ number, starts }) => ({ number, starts }));
  expect(ending.census.startedAgain).toEqual(again);
  return killed;
}

const promptOf = (asked: unknown): string => String(Object(asked).prompt);
