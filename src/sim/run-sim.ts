// What `adj sim FILE [-- CMD…]` does: serve, run the program against it, report. Printing is the caller's.
import { fault } from "../command/fault.ts";
import { type ProcessEnding, shellExitCode } from "../process/process-ending.ts";
import type { RunOptions } from "../process/run-options.ts";
import { runProcess } from "../process/run-process.ts";
import type { SimReport } from "./check-expectations.ts";
import { makeIsolatedHome } from "./isolated-home.ts";
import { loadScenario } from "./load-scenario.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { type Sim, startSim } from "./server.ts";
import { findAgentOfProgram } from "./sim-agent.ts";

export interface SimRun {
  readonly file: string;
  /** The program and its arguments; without one the server runs until the signal fires. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The environment of whoever asks; of it the program gets only what is neutral. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly port?: number;
  readonly timeoutMs?: number;
  readonly stdin?: string | Uint8Array;
  readonly onReady?: (url: string) => void;
  readonly onRequest?: (request: RecordedRequest) => void;
  readonly onChunk?: NonNullable<RunOptions["onChunk"]>;
}

export interface SimEnding {
  /** How the program ended; null where there was none. */
  readonly process: ProcessEnding | null;
  readonly requests: readonly RecordedRequest[];
  readonly report: SimReport;
  readonly exitCode: number;
}

/** A file that is no scenario and a program that cannot be started are faults; all else is an ending. */
export async function runSim(run: SimRun): Promise<SimEnding> {
  const scenario = await loadScenario(run.file);
  const sim = await startSim(scenario, {
    ...(run.port === undefined ? {} : { port: run.port }),
    ...(run.onRequest === undefined ? {} : { onRequest: run.onRequest }),
  });
  try {
    run.onReady?.(sim.url);
    const ending = await (run.command.length === 0 ? serve(run.signal) : runProgram(run, sim));
    const report = sim.report(ending === null ? null : shellExitCode(ending));
    const exitCode = decideExitCode(report, ending);
    return { process: ending, requests: sim.requests(), report, exitCode };
  } finally {
    await sim.close();
  }
}

function serve(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(null), { once: true }),
  );
}

async function runProgram(run: SimRun, sim: Sim): Promise<ProcessEnding> {
  const [executable = "", ...args] = run.command;
  const agent = findAgentOfProgram(executable);
  const isolated = await makeIsolatedHome({ agent, url: sim.url, source: run.env });
  try {
    const ending = await runProcess(
      { executable, args, env: isolated.env, cwd: run.cwd },
      {
        signal: run.signal,
        ...(run.timeoutMs === undefined ? {} : { timeoutMs: run.timeoutMs }),
        ...(run.stdin === undefined ? {} : { stdin: run.stdin }),
        ...(run.onChunk === undefined ? {} : { onChunk: run.onChunk }),
      },
    );
    if (ending.kind === "not_started")
      throw fault("SpawnFailed", { program: executable, problem: ending.problem });
    return ending;
  } finally {
    await isolated.remove();
  }
}

/** What was expected decides; with nothing expected the program's own exit code is all there is to say. */
export function decideExitCode(report: SimReport, ending: ProcessEnding | null): number {
  if (ending?.kind === "timed_out" || ending?.kind === "cancelled") return shellExitCode(ending);
  if (!report.holds) return 1;
  return report.checks.length > 0 || ending === null ? 0 : shellExitCode(ending);
}
