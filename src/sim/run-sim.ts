// What `adj sim FILE [-- CMD…]` does: serve, run the program against it, report. Printing is the caller's.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fault } from "../core/command/fault.ts";
import {
  type ProcessEnding,
  type RunOptions,
  shellExitCode,
} from "../core/process/command-spec.ts";
import { runProcess } from "../core/process/run.ts";
import { describeAgentEnvironment, findAgentOfProgram } from "./agents.ts";
import type { SimReport } from "./check-expectations.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { loadScenario } from "./scenario.ts";
import { type Sim, startSim } from "./server.ts";

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
function decideExitCode(report: SimReport, ending: ProcessEnding | null): number {
  if (ending?.kind === "timed_out" || ending?.kind === "cancelled") return shellExitCode(ending);
  if (!report.holds) return 1;
  return report.checks.length > 0 || ending === null ? 0 : shellExitCode(ending);
}

export interface IsolatedHome {
  readonly home: string;
  /** The whole environment of the agent: nothing of the caller's own but what is neutral. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes everything the agent left there. */
  remove(): Promise<void>;
}

interface IsolatedHomeOptions {
  readonly agent: string | null;
  readonly url: string;
  /** The environment of whoever asks. */
  readonly source: Readonly<Record<string, string | undefined>>;
}

/** Names that say where programs are and how text looks; all others could lead the agent elsewhere. */
const NEUTRAL = /^(PATH|SHELL|USER|LOGNAME|LANG|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|CI|ADJ_\w+)$/;

/** Makes a fresh home and temporary folder in which an agent CLI knows only the scripted model. */
export async function makeIsolatedHome({
  agent,
  url,
  source,
}: IsolatedHomeOptions): Promise<IsolatedHome> {
  const folder = await mkdtemp(join(tmpdir(), "adj-sim-"));
  // Side by side: codex complains of a home inside the temporary folder.
  const home = join(folder, "home");
  const temporary = join(folder, "tmp");
  await mkdir(home);
  await mkdir(temporary);
  const { env, files } = await describeAgentEnvironment(agent, url);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), content, { mode: 0o600 });
  }
  const neutral = Object.fromEntries(
    Object.entries(source).filter(
      (entry): entry is [string, string] => NEUTRAL.test(entry[0]) && entry[1] !== undefined,
    ),
  );
  return {
    home,
    env: { ...neutral, HOME: home, TMPDIR: temporary, NO_PROXY: "127.0.0.1", ...env },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
