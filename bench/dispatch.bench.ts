// What a dispatch with its audit costs in one process, against the bare insert of its two events.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createAdjutant } from "../src/library.ts";
import { interleave, report } from "./interleave.ts";

const BATCH = 200;
const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));

function openBareLog() {
  const database = new DatabaseSync(join(folder, "bare.db"));
  database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;");
  database.exec(
    "CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT, type TEXT, correlation_id TEXT, session_id TEXT, body TEXT)",
  );
  const insert = database.prepare(
    "INSERT INTO event (time, type, correlation_id, session_id, body) VALUES (?, ?, ?, ?, ?)",
  );
  const append = (type: string, data: object) =>
    insert.run(new Date().toISOString(), type, "bench", "bench", JSON.stringify(data));
  return {
    appendTwo: () => {
      append("CommandDispatched", { name: "nothing", args: [], origin: { surface: "library" } });
      append("CommandResulted", {
        name: "nothing",
        outcome: { kind: "ok", exitCode: 0, durationMs: 0.1 },
      });
    },
    close: () => database.close(),
  };
}

const configDir = join(folder, "config");
mkdirSync(join(configDir, "commands"), { recursive: true });
writeFileSync(
  join(configDir, "commands", "nothing.js"),
  `const result = { success: true, output: "", errorOutput: null, exitCode: 0, metadata: null };
export default { description: "Do nothing", safety: "read_only", run: () => result };
`,
);
const env = {
  ...process.env,
  ADJ_STATE_DIR: join(folder, "state"),
  ADJ_CONFIG_DIR: configDir,
};
const adjutant = await createAdjutant({ cwd: folder, env });
const bare = openBareLog();
const dispatch = async () => {
  const outcome = await adjutant.dispatch({ name: "nothing" });
  if (outcome.kind !== "ok") throw new Error(outcome.error?.message);
};

try {
  const timings = await interleave(
    [
      {
        name: `${BATCH} × two bare inserts`,
        run: () => {
          for (let i = 0; i < BATCH; i++) bare.appendTwo();
        },
      },
      {
        name: `${BATCH} × dispatch`,
        run: async () => {
          for (let i = 0; i < BATCH; i++) await dispatch();
        },
      },
    ],
    50,
  );
  report("dispatch in one process, audited", timings, [
    { of: `${BATCH} × dispatch`, against: `${BATCH} × two bare inserts`, atMost: 3 },
  ]);
  if (process.env.ADJ_BENCH_SHORT === undefined) await measureMemory();
} finally {
  await adjutant.close();
  bare.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measureMemory(): Promise<void> {
  const heapNow = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  for (let i = 0; i < 10_000; i++) await dispatch();
  const before = heapNow();
  for (let i = 0; i < 100_000; i++) await dispatch();
  console.log(
    `  heap after 10,000 dispatches ${before.toFixed(1)} MiB, after 110,000 ${heapNow().toFixed(1)} MiB`,
  );
}
