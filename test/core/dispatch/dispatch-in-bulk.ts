// Run with --expose-gc: prints how much the heap grew over many dispatches, as one line of JSON.
import * as z from "zod";
import { fail, ok } from "../../../src/core/command/result.ts";
import { startProgram } from "./test-program.ts";

const WARM_UP = 2_000;
const COUNT = Number(process.argv[2]);

/** Every kind of ending there is, in turn, all below one long-lived signal. */
const LINES = [
  "read x",
  "write",
  "failing",
  "throwing",
  "picky --n=x",
  "outer",
  "unknwon",
  "asking",
];

const program = startProgram({
  read: { run: (args) => ok(JSON.stringify(args)) },
  write: {
    effect: "write",
    run: async (_, { session, log }) => {
      await session.slot().update((count) => Number(count ?? 0) + 1);
      log("counted");
      return ok();
    },
  },
  failing: { run: () => fail("no") },
  throwing: { timeoutMs: 60_000, run: () => Promise.reject(new Error("no")) },
  picky: { effect: "write", args: z.object({ n: z.number() }) },
  outer: { run: async (_, { dispatch }) => (await dispatch({ name: "write" })).result },
  asking: { effect: "write", run: async (_, { ask }) => ok(String(await ask.confirm("?"))) },
});
const person = {
  name: "one",
  confirm: async () => true,
  select: async () => "",
  input: async () => "",
};
const { signal } = new AbortController();

async function dispatchMany(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1)
    await program.send(LINES[sent % LINES.length] ?? "", { signal, interactors: [person] });
}

function measureHeap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

try {
  await dispatchMany(WARM_UP);
  const before = measureHeap();
  await dispatchMany(COUNT);
  const growth = measureHeap() - before;
  const isMeasured = globalThis.gc !== undefined;
  process.stdout.write(JSON.stringify({ isMeasured, count: COUNT, growth }));
} finally {
  program.close();
}
