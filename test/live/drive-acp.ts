import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { type AgentRun, runAgent } from "../../src/agents/run/run-agent.ts";
import { findMembersInProc } from "../../src/core/process/process-tree.ts";
import type { RecordedRequest } from "../../src/sim/recorded-request.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { adapterOf } from "../support/agents.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { LabCli } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

export interface AcpDrive extends AgentRun {
  readonly workspace: string;
  readonly requests: readonly RecordedRequest[];
  /** Processes of the run that are still alive. */
  readonly left: readonly number[];
}

export interface AcpRequest {
  readonly cli: LabCli;
  /** The words that start it as an ACP agent. */
  readonly words: readonly string[];
  readonly scenario: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  /** Cancels once the model was asked. */
  readonly isCancelled?: boolean;
}

/** Talks with a real CLI as the product does, against a scenario. */
export async function driveAcp(request: AcpRequest): Promise<AcpDrive> {
  const { cli, words, config, timeoutMs = 60_000, isCancelled = false } = request;
  const stop = new AbortController();
  const onRequest = ({ kind }: RecordedRequest) => {
    if (isCancelled && kind === "turn") stop.abort();
  };
  const sim = await startSim(parseScenario(request.scenario, "scenario"), { onRequest });
  // The scripts among the CLIs start with `env node`, which must be a new one.
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const home = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  try {
    const workspace = temporaryFolder();
    const runId = randomUUID();
    const argv = [cli.program, ...words];
    const request = {
      config: { prompt: PROMPT, permission_mode: "auto", ...config, argv },
      workspaceDir: workspace,
      timeout: timeoutMs,
      env: home.env,
      runId,
      logDir: join(temporaryFolder(), "log"),
    };
    const run = await runAgent(adapterOf("acp"), request, { signal: stop.signal });
    const { members } = findMembersInProc({ pid: 0, runId, ownsGroup: false, since: 0 });
    return { ...run, workspace, requests: sim.requests(), left: members.map(({ pid }) => pid) };
  } finally {
    await sim.close();
    await home.remove();
  }
}
