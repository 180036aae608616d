// The process in which one virtual command runs. Nobody reads what it prints.
import { readFileSync } from "node:fs";
import { runJobMessage } from "./hooks/virtual/job.ts";
import { createAdjutant } from "./program.ts";

async function run(): Promise<void> {
  await runJobMessage(readFileSync(0, "utf8"), ({ cwd, env, root, agent }) =>
    createAdjutant({ cwd, env, root, agent, surface: "hook" }),
  );
  // What the command left behind is not waited for.
  process.exit(0);
}

run();
