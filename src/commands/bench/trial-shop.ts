// What trials need of this program: agents, commands, an environment, a place for their workspaces.
import { mkdtemp } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { pickEnvironment } from "../../agents/pick-environment.ts";
import { runAgent } from "../../agents/run-agent.ts";
import type { RunLog } from "../../agents/run-log.ts";
import type { Asking } from "../../bench/evaluator.ts";
import { EVALUATORS } from "../../bench/evaluators/roster.ts";
import type { BenchStore } from "../../bench/queue.ts";
import type { TaskOutcome, TaskRun, TrialShop } from "../../bench/trials/run-trial.ts";
import { maskSecrets } from "../../command/secrets.ts";
import { newId } from "../../new-id.ts";
import { childEnvironment } from "../../process/child-environment.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import type { FindAgent } from "./locate-agents.ts";
import { runCommandTask } from "./run-command-task.ts";
import { receiveFiles } from "./travelling-files.ts";

export interface ShopParts {
  readonly store: Pick<BenchStore, "putContent" | "getContent">;
  readonly findAgent: FindAgent;
  readonly keep: BenchArguments["keep"];
}

export const workFolder = (stateDir: string): string => join(stateDir, "bench", "work");

export function makeTrialShop({ store, findAgent, keep }: ShopParts, place: BenchPlace): TrialShop {
  const { context, program } = place;
  const workDir = workFolder(program.stateDir);
  const source = context.env.forChild();
  const environment = (names: readonly string[]): Record<string, string> =>
    // No resident for a trial: what one leaves must not meet another.
    ({ ...childEnvironment({ source, declared: names, inheritEnv: false }), ADJ_RESIDENT: "off" });
  const ask = async (wish: AgentWish): Promise<RunLog> => {
    const { adapter, here } = await findAgent(wish.agent);
    const logDir = await mkdtemp(join(workDir, "log-"));
    const { log } = await runAgent(
      adapter,
      {
        config: { ...wish.config, prompt: wish.prompt },
        workspaceDir: wish.folder,
        timeout: wish.timeoutMs,
        env: { ...pickEnvironment(adapter, source), ...environment(wish.env) },
        runId: newId(),
        logDir,
        agentVersion: here.version ?? null,
        ...(here.path === undefined ? {} : { program: here.path }),
      },
      { signal: wish.signal },
    );
    return maskLog(log);
  };
  return {
    workDir,
    worker: `${hostname()}:${process.pid}`,
    keep,
    findEvaluator: EVALUATORS.find,
    runTask: (run) => runTask(run, { ask, place }),
    askAgent: (asking: Asking, signal) =>
      ask({ ...asking, env: [], timeoutMs: JUDGE_TIMEOUT_MS, signal }),
    runCommand: async (name, args) => (await context.dispatch({ name, args })).result,
    environment,
    receive: (plan) => receiveFiles(plan, { store, workDir }),
    store: (bytes) => store.putContent(bytes),
  };
}

const JUDGE_TIMEOUT_MS = 300_000;

export interface AgentWish extends Asking {
  readonly env: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type AskAgent = (wish: AgentWish) => Promise<RunLog>;

async function runTask(
  run: TaskRun,
  { ask, place }: { ask: AskAgent; place: BenchPlace },
): Promise<TaskOutcome> {
  const { task, agent, env, folder, timeoutMs, signal } = run;
  if (task.kind === "command") return runCommandTask(task, run, place);
  const { text: prompt } = task;
  const { config } = agent;
  const log = await ask({ agent: agent.agent, config, prompt, env, folder, timeoutMs, signal });
  return { log, prompt };
}

/** A result is kept for a long time and shown to others. */
function maskLog(log: RunLog): RunLog {
  const mask = (_: string, value: unknown): unknown =>
    typeof value === "string" ? maskSecrets(value) : value;
  return JSON.parse(JSON.stringify(log, mask));
}
