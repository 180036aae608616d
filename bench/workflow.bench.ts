// What a workflow's engine adds to a call, journal included, against a bare insert of the same bytes that waits for the disk
// as well; and how long a resume takes, and how much memory, with ten times as many entries.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newId } from "../src/core/command/new-id.ts";
import { AgentBreakers } from "../src/workflow/engine/breakers.ts";
import { systemClock } from "../src/workflow/engine/clock.ts";
import type { AgentEffect, EffectPorts, PerformEffect } from "../src/workflow/engine/effect.ts";
import { Execution } from "../src/workflow/engine/execution.ts";
import { createPerformer } from "../src/workflow/engine/performer.ts";
import { openJournal } from "../src/workflow/journal/sqlite-journal.ts";
import { interleave, report } from "./interleave.ts";

const PROMPT = "Look at this file and say what is wrong with it. ".repeat(40);
const ANSWER = "There is nothing wrong with it, as far as I can see. ".repeat(40);
const AT_ONCE = 16;

const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));
const journal = openJournal(folder);
const breakers = new AgentBreakers({ journal, clock: systemClock });
const usage = { inputTokens: 500, outputTokens: 400, totalTokens: 900, costUsd: 0.01 };
const ports: EffectPorts = {
  statesCost: () => true,
  callAgent: async () => ({ kind: "done", text: ANSWER, data: null, attempts: 1, usage }),
  runCommand: () => Promise.reject(new Error("none")),
  ask: async () => null,
};
const effectOf = (prompt: string): AgentEffect => ({
  ...{ kind: "agent", prompt, label: "look", phase: "Review", agent: null, model: null },
  ...{ effort: null, schema: null, isolation: null, agentType: null, timeoutMs: null },
  ...{ maxUsd: null, conversation: "fresh", stage: null },
});

function addRun(): string {
  const id = `wf_${newId().replaceAll("-", "").slice(0, 12)}`;
  journal.addRun({
    ...{ id, workflow: "bench", form: "script", file: "/bench.js", source: "", sourceHash: "" },
    ...{ args: undefined, root: "/", cwd: "/", sessionId: null, agent: "claude", model: null },
    ...{ mode: null, atOnce: AT_ONCE, status: "running", reason: null, waitingUntil: null },
    ...{ limits: { usd: null, tokens: null, calls: null, timeMs: null } },
    ...{ phase: null, result: undefined, endedAt: null, createdAt: new Date().toISOString() },
  });
  return id;
}

function executeAgain(runId: string): PerformEffect {
  const run = journal.readRun(runId);
  if (run === null) throw new Error("the run is gone");
  const options = { run, journal, ports, breakers, clock: systemClock, newId, env: {} };
  return createPerformer(new Execution(options));
}

let calls = 0;
let perform = executeAgain(addRun());
const call = () => {
  // A run makes no more than 10,000.
  if (++calls % 9_000 === 0) perform = executeAgain(addRun());
  return perform({ path: `parallel#0/${calls}`, effect: effectOf(`${PROMPT}${calls}`) });
};

const bare = new DatabaseSync(join(folder, "bare.db"));
bare.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
bare.exec("CREATE TABLE entry (number INTEGER PRIMARY KEY, asked TEXT, result TEXT) STRICT");
const statement = bare.prepare("INSERT INTO entry (asked, result) VALUES (?, ?)");
const insert = () => statement.run(`${PROMPT}${calls}`, ANSWER);

const times = <Result>(work: () => Result) => Array.from({ length: AT_ONCE }, work);

try {
  const timings = await interleave(
    [
      { name: "a bare insert", run: insert },
      { name: "a call", run: call },
      { name: `${AT_ONCE} bare inserts`, run: () => times(insert) },
      { name: `${AT_ONCE} calls at once`, run: () => Promise.all(times(call)) },
    ],
    Number(process.env.ADJ_BENCH_ROUNDS ?? 200),
  );
  report("calls of a workflow", timings, [
    { of: "a call", against: "a bare insert", atMost: 2 },
    { of: `${AT_ONCE} calls at once`, against: `${AT_ONCE} bare inserts`, atMost: 2 },
  ]);
  await measureResume();
} finally {
  breakers.close();
  journal.close();
  bare.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The results are not kept, so what stays in memory is the engine's. */
async function measureResume(): Promise<void> {
  console.log("\nresume");
  for (const entries of [1_000, 10_000]) {
    const runId = addRun();
    await ask(executeAgain(runId), entries);
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const startedAt = performance.now();
    const resumed = executeAgain(runId);
    await ask(resumed, entries);
    const seconds = (performance.now() - startedAt) / 1000;
    globalThis.gc?.();
    const kept = process.memoryUsage().heapUsed - before;
    const each = `${((seconds * 1e6) / entries).toFixed(0)} µs and ${(kept / entries).toFixed(0)} bytes each`;
    console.log(
      `  ${entries} entries  ${seconds.toFixed(2)} s  ${(kept / 1e6).toFixed(1)} MB  ${each}`,
    );
    // It is still used, and so counted.
    if (resumed === perform) throw new Error("another execution was meant");
  }
}

async function ask(execute: PerformEffect, entries: number): Promise<void> {
  for (let at = 0; at < entries; at += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, entries - at) }, (_, index) =>
        execute({ path: `parallel#0/${at + index}`, effect: effectOf(`${PROMPT}${at + index}`) }),
      ),
    );
}
