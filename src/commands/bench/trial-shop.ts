// What trials need of this program: agents, commands, an environment, a place for their workspaces.
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { pickEnvironment } from "../../agents/pick-environment.ts";
import { runAgent } from "../../agents/run-agent.ts";
import type { RunLog } from "../../agents/run-log.ts";
import type { Asking } from "../../bench/evaluator.ts";
import { EVALUATORS } from "../../bench/evaluators/roster.ts";
import type { BenchStore } from "../../bench/queue.ts";
import { removeTree } from "../../bench/trials/tree-files.ts";
import type { EndedTry, TaskOutcome, TaskRun, TrialShop } from "../../bench/trials/trial-shop.ts";
import { JUDGE_PREFIX } from "../../bench/trials/work-folder.ts";
import { maskSecrets } from "../../command/secrets.ts";
import { newId } from "../../new-id.ts";
import { childEnvironment } from "../../process/child-environment.ts";
import { RUN_ID_NAME } from "../../process/run-id.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { inheritTrust } from "./inherit-trust.ts";
import type { FindAgent } from "./locate-agents.ts";
import { runCommandTask } from "./run-command-task.ts";
import { receiveFiles } from "./travelling-files.ts";
import type { WorkPlace } from "./work-place.ts";

export interface ShopParts {
  readonly store: Pick<BenchStore, "putContent" | "getContent">;
  readonly findAgent: FindAgent;
  readonly keep: BenchArguments["keep"];
  readonly work: WorkPlace;
}

export const keptFolder = (stateDir: string): string => join(stateDir, "bench", "kept");

export function makeTrialShop(parts: ShopParts, place: BenchPlace): TrialShop {
  const { store, work } = parts;
  const { context, program } = place;
  const environment = makeEnvironment(place, work);
  const ask = makeAsking(parts, place);
  return {
    workDir: work.folder,
    worker: `${hostname()}:${process.pid}`,
    findEvaluator: EVALUATORS.find,
    runTask: (run) => runTask(run, { ask, place }),
    askAgent: async (asking: Asking, signal) => {
      const logDir = await mkdtemp(join(work.folder, JUDGE_PREFIX));
      const wish = { ...asking, env: [], timeoutMs: JUDGE_TIMEOUT_MS, signal, logDir };
      return ask(wish).finally(() => removeTree(logDir));
    },
    runCommand: async (name, args, signal) =>
      (await context.dispatch({ name, args, signal })).result,
    environment,
    receive: (plan) => receiveFiles(plan, { store, workDir: work.folder }),
    store: (bytes) => store.putContent(bytes),
    inheritTrust: (folder, { suiteFolder }) =>
      inheritTrust(folder, { suiteFolder, stateDir: program.stateDir }),
    dispose: (folder, ended) =>
      disposePlace(folder, ended, { keep: parts.keep, stateDir: program.stateDir }),
  };
}

function makeEnvironment({ context }: BenchPlace, { runId, temporary }: WorkPlace) {
  const source = context.env.forChild();
  return (names: readonly string[]): Record<string, string> => ({
    ...childEnvironment({ source, declared: names, inheritEnv: false }),
    // No resident for a trial: what one leaves must not meet another.
    ADJ_RESIDENT: "off",
    TMPDIR: temporary,
    [RUN_ID_NAME]: runId,
  });
}

const JUDGE_TIMEOUT_MS = 300_000;

interface AgentWish extends Asking {
  readonly env: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly logDir: string;
}

type AskAgent = (wish: AgentWish) => Promise<RunLog>;

function makeAsking({ findAgent, keep, work }: ShopParts, place: BenchPlace): AskAgent {
  const environment = makeEnvironment(place, work);
  const source = place.context.env.forChild();
  return async (wish) => {
    const { adapter, here } = await findAgent(wish.agent);
    const { log } = await runAgent(
      adapter,
      {
        config: { ...wish.config, prompt: wish.prompt },
        workspaceDir: wish.folder,
        timeout: wish.timeoutMs,
        env: { ...pickEnvironment(adapter, source), ...environment(wish.env) },
        runId: newId(),
        logDir: wish.logDir,
        agentVersion: here.version ?? null,
        ...(here.path === undefined ? {} : { program: here.path }),
      },
      // What it printed is in its log; as it came, it stays beside a workspace that is kept.
      { signal: wish.signal, ...(keep === "never" ? { rawLimitBytes: 0 } : {}) },
    );
    return maskLog(log);
  };
}

async function runTask(
  run: TaskRun,
  { ask, place }: { ask: AskAgent; place: BenchPlace },
): Promise<TaskOutcome> {
  const { task, agent } = run;
  if (task.kind === "command") return runCommandTask(task, run, place);
  const { text: prompt } = task;
  const log = await ask({ ...run, agent: agent.agent, config: agent.config, prompt });
  return { log, prompt };
}

/** A result is kept for a long time and shown to others. */
function maskLog(log: RunLog): RunLog {
  const mask = (_: string, value: unknown): unknown =>
    typeof value === "string" ? maskSecrets(value) : value;
  return JSON.parse(JSON.stringify(log, mask));
}

async function disposePlace(
  folder: string,
  { plan, attempt, isPassed }: EndedTry,
  { keep, stateDir }: { keep: BenchArguments["keep"]; stateDir: string },
): Promise<void> {
  const isKept = keep === "always" || (keep === "failed" && !isPassed);
  if (!isKept) return removeTree(folder);
  const kept = join(keptFolder(stateDir), plan.runId.slice(0, 8));
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const name = plan.key.replaceAll(/[^\w.=-]/g, "_");
  await rename(folder, join(kept, `${name}_${attempt}`));
}
