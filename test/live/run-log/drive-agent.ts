import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AgentRun, runAgent } from "../../../src/agents/run/run-agent.ts";
import { findMembersInProc, type TreeMember } from "../../../src/core/process/process-tree.ts";
import type { SimReport } from "../../../src/sim/check-expectations.ts";
import type { RecordedRequest } from "../../../src/sim/recorded-request.ts";
import { type IsolatedHome, makeIsolatedHome } from "../../../src/sim/run-sim.ts";
import type { Scenario } from "../../../src/sim/scenario.ts";
import { startSim } from "../../../src/sim/server.ts";
import { adapterOf } from "../../support/agents.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { LabCli } from "../lab.ts";
import { PROMPT } from "../scenarios.ts";
import type { Stop } from "./scenarios.ts";

export interface DrivePlan {
  readonly cli: LabCli;
  readonly version: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  readonly script: Scenario;
  readonly stop: Stop;
  readonly timeoutMs: number;
}

export interface AgentDrive extends AgentRun {
  readonly runId: string;
  readonly workspace: string;
  readonly requests: readonly RecordedRequest[];
  /** Whether the agent sent the model what the scenario expects. */
  readonly report: SimReport;
  /** Processes of the run that are still alive, and what is left in the temporary folder. */
  readonly leftProcesses: readonly number[];
  readonly leftFiles: readonly string[];
}

/** Runs a real CLI as the product does, against a scenario. */
export async function driveAgent(plan: DrivePlan): Promise<AgentDrive> {
  const stop = new Stopper(plan.stop);
  const sim = await startSim(plan.script, { onRequest: (request) => stop.note(request) });
  // The scripts among the CLIs start with `env node`, which must be a new one.
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const source = { ...process.env, PATH };
  const home = await makeIsolatedHome({ agent: plan.cli.agent, url: sim.url, source });
  try {
    const workspace = temporaryFolder();
    const request = describeRequest(plan, home, { workspace, runId: stop.runId });
    const run = await runAgent(adapterOf(plan.cli.agent), request, { signal: stop.signal });
    return {
      ...run,
      runId: stop.runId,
      workspace,
      requests: sim.requests(),
      report: sim.report(run.log.execution.exit_code),
      leftProcesses: findProcesses(stop.runId).map(({ pid }) => pid),
      leftFiles: readdirSync(home.env.TMPDIR ?? ""),
    };
  } finally {
    await sim.close();
    await home.remove();
  }
}

function describeRequest(
  { cli, version, config, timeoutMs }: DrivePlan,
  { env }: IsolatedHome,
  { workspace, runId }: { readonly workspace: string; readonly runId: string },
) {
  return {
    config: { prompt: PROMPT, ...config },
    workspaceDir: workspace,
    timeout: timeoutMs,
    env,
    runId,
    logDir: join(temporaryFolder(), "log"),
    program: cli.program,
    agentVersion: version,
  };
}

const findProcesses = (runId: string): readonly TreeMember[] =>
  findMembersInProc({ pid: 0, runId, ownsGroup: false, since: 0 }).members;

/** Ends a run from outside once the agent has asked often enough. */
class Stopper {
  readonly runId = randomUUID();
  readonly #stop: Stop;
  readonly #abort = new AbortController();
  #asked = 0;

  constructor(stop: Stop) {
    this.#stop = stop;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  note({ kind }: RecordedRequest): void {
    if (kind === "turn") this.#asked += 1;
    const stop = this.#stop;
    if ((stop.by !== "cancel" && stop.by !== "kill") || this.#asked !== stop.afterRequests) return;
    if (stop.by === "cancel") this.#abort.abort();
    else this.#kill();
  }

  /** As somebody else would, with the process that was started: the leader of its group. */
  #kill(): void {
    const leader = findProcesses(this.runId).find(({ pid, group }) => pid === group);
    if (leader !== undefined) process.kill(leader.pid, "SIGTERM");
  }
}
