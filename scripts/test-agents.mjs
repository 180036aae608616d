// `npm run test:agents`: install the real agent CLIs into lab/, drive each one against the scripted model.
// Arguments go to vitest. A CLI that this machine cannot have is named and skipped.
import { join } from "node:path";
import { enterWorkspace, installLocked, localBin, ROOT, runStep } from "./workspace.mjs";

enterWorkspace();
installLocked(join(ROOT, "lab"));
// TypeScript, so only after the pinned Node has taken over.
const { SIM_AGENTS } = await import("../src/sim/sim-agent.ts");
const { findLabCli, missingMessage } = await import("../test/agents/lab.ts");
for (const agent of SIM_AGENTS)
  if (findLabCli(agent) === null) console.error(`  ${missingMessage(agent)}`);
const config = ["--config", "vitest.agents.config.ts"];
runStep("agents", localBin("vitest"), ["run", ...config, ...process.argv.slice(2)]);
