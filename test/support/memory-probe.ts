// What a process of ours keeps: after a forced collection, so that what only waits to be collected does not count.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

interface KeptMemory {
  /** In bytes, like all of it. */
  readonly heap: number;
  /** The room that V8 keeps for young objects. */
  readonly young: number;
  readonly resident: number;
}

const source = (folder: string): string => `
import { renameSync, writeFileSync } from "node:fs";
import { getHeapSpaceStatistics } from "node:v8";
process.on("SIGUSR2", () => {
  gc();
  setImmediate(() => {
    gc();
    const { heapUsed: heap, rss: resident } = process.memoryUsage();
    const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
    const file = ${JSON.stringify(folder)} + "/memory-" + process.pid;
    writeFileSync(file + ".part", JSON.stringify({ heap, young, resident }));
    renameSync(file + ".part", file);
  });
});`;

/** For `NODE_OPTIONS` of what is to be looked at; it says so into the folder. */
export const memoryProbe = (folder: string): string =>
  `--expose-gc --import data:text/javascript,${encodeURIComponent(source(folder))}`;

export async function readKeptMemory(folder: string, pid: number): Promise<KeptMemory> {
  const file = join(folder, `memory-${pid}`);
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  for (let tries = 0; tries < 1_000; tries++) {
    await pause(20);
    try {
      const kept: KeptMemory = JSON.parse(readFileSync(file, "utf8"));
      return kept;
    } catch {
      // Not there yet.
    }
  }
  throw new Error(`process ${pid} does not say what it keeps`);
}
