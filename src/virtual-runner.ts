// The process in which one virtual command runs. Nobody reads what it prints.
import { readFileSync } from "node:fs";
import { shareCompileCache } from "./core/process/compile-cache.ts";

async function run(): Promise<void> {
  shareCompileCache(process.argv[2] || null);
  const { runJobMessage } = await import("./hooks/virtual/job.ts");
  const { createAdjutant } = await import("./program.ts");
  await runJobMessage(readFileSync(0, "utf8"), ({ cwd, env, root, agent }) =>
    createAdjutant({ cwd, env, root, agent, surface: "hook" }),
  );
  // This is an entry of its own. What the command left behind is not waited for: an agent waits for the result.
  process.exit(0);
}

run();
