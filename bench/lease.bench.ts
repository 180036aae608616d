// Writes of one session from ten processes at once, against the same writes from one process alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdjutant } from "../src/library.ts";

const WRITES = 10_000;
const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));
const configDir = join(folder, "config");
const libraryUrl = new URL("../dist/library.js", import.meta.url).href;

mkdirSync(join(configDir, "commands"), { recursive: true });
writeFileSync(
  join(configDir, "commands", "count.ts"),
  `import { defineCommand, ok } from "adjutant";
export default defineCommand({
  description: "Count one more",
  effect: "write",
  run: async (_, { session }) => ok(String(await session.slot().update((count) => Number(count ?? 0) + 1))),
});
`,
);
const writer = join(folder, "writer.mjs");
writeFileSync(
  writer,
  `import { createAdjutant } from ${JSON.stringify(libraryUrl)};
const adjutant = await createAdjutant({ cwd: ${JSON.stringify(folder)}, env: process.env });
for (let i = 0; i < Number(process.argv[2]); i++) {
  const outcome = await adjutant.dispatch({ name: "count" });
  if (outcome.kind !== "ok") throw new Error(outcome.error?.message);
}
await adjutant.close();
`,
);

async function measure(profile: string, processes: number): Promise<number> {
  const env = { ...process.env, ADJ_CONFIG_DIR: configDir, ADJ_STATE_DIR: join(folder, profile) };
  const adjutant = await createAdjutant({ cwd: folder, env });
  await adjutant.dispatch({ name: "count" });
  const startedAt = performance.now();
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [writer, String(WRITES / processes)], { env, stdio: "inherit" }),
  );
  const exits = await Promise.all(children.map((child) => once(child, "exit")));
  const seconds = (performance.now() - startedAt) / 1000;
  if (exits.some(([code]) => code !== 0)) throw new Error("a writer failed");
  const last = await adjutant.dispatch({ name: "count" });
  await adjutant.close();
  if (last.result.output !== String(WRITES + 2))
    throw new Error(`lost updates: ${last.result.output}`);
  return WRITES / seconds;
}

try {
  const alone = await measure("alone", 1);
  const together = await measure("together", 10);
  console.log("\nlease: 10,000 writes of one session, each with its audit");
  console.log(`  one process    ${Math.round(alone)} writes/s`);
  console.log(
    `  ten processes  ${Math.round(together)} writes/s, none lost (${(together / alone).toFixed(2)} × of one)`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
