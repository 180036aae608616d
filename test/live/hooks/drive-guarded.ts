// A real CLI with our hooks in it, put there by the real `adj install`, and what the scripted model received.
import type { ProcessEnding } from "../../../src/core/process/command-spec.ts";
import { runProcess } from "../../../src/core/process/run.ts";
import type { RecordedRequest } from "../../../src/sim/recorded-request.ts";
import type { Scenario } from "../../../src/sim/scenario.ts";
import { startSim } from "../../../src/sim/server.ts";
import { readLatest } from "../../../src/sim/wire.ts";
import type { LabCli } from "../lab.ts";
import { type HookedPlace, makeHookedPlace } from "./hooked-place.ts";

export type RunCli = (place: HookedPlace, command: readonly string[]) => Promise<ProcessEnding>;

export interface GuardedPlan {
  readonly cli: LabCli;
  readonly prompt: string;
  readonly script: Scenario;
  readonly isResident?: boolean;
  /** What others have installed there before us, and behind. */
  readonly others?: (place: HookedPlace, side: "before" | "behind") => void;
  /** Where it is not enough to start it. */
  readonly run?: RunCli;
}

export interface GuardedDrive {
  readonly place: HookedPlace;
  readonly exitCode: number | null;
  readonly printed: string;
  /** The requests for a turn of the conversation. */
  readonly turns: readonly RecordedRequest[];
  /** Everything there is to say when an assertion fails. */
  readonly account: string;
}

const TIME_LIMIT = 100_000;

export async function driveGuarded(plan: GuardedPlan): Promise<GuardedDrive> {
  const { cli, prompt, isResident = false, run = runOnce } = plan;
  const sim = await startSim(plan.script);
  try {
    const place = await makeHookedPlace({ agent: cli.agent, url: sim.url, isResident });
    plan.others?.(place, "before");
    const installed = await place.adj("install", cli.agent, "--user");
    if (installed.exitCode !== 0) throw new Error(installed.stderr);
    plan.others?.(place, "behind");
    const ending = await run(place, commandOf(cli, prompt));
    return describeDrive(place, ending, sim.requests());
  } finally {
    await sim.close();
  }
}

const runOnce: RunCli = ({ env, workspace }, [executable = "", ...args]) =>
  runProcess({ executable, args, env, cwd: workspace }, { timeoutMs: TIME_LIMIT });

/** A person trusts our hooks by hand; here it is said once for all. */
function commandOf(cli: LabCli, prompt: string): readonly string[] {
  const [program = "", first = "", ...rest] = cli.commandFor(prompt);
  const trust = cli.agent === "codex" ? ["--dangerously-bypass-hook-trust"] : [];
  return [program, first, ...trust, ...rest];
}

function describeDrive(
  place: HookedPlace,
  { kind, exitCode, ...ending }: ProcessEnding,
  requests: readonly RecordedRequest[],
): GuardedDrive {
  const turns = requests.filter((request) => request.kind === "turn");
  const [printed = "", errors = ""] = [ending.stdout, ending.stderr].map((bytes) =>
    Buffer.from(bytes).toString(),
  );
  const asked = turns.map(({ answered, request }) => {
    const latest = request === null ? null : readLatest(request);
    return [answered, latest?.user.slice(-300), latest?.toolResults];
  });
  const account = JSON.stringify(
    { kind, exitCode, asked, printed: printed.slice(-2_000), errors: errors.slice(-2_000) },
    null,
    1,
  );
  return { place, exitCode, printed, turns, account };
}
