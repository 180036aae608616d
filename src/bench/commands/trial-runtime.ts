// What trials need of this program: agents, commands, an environment, a place for their workspaces.

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { guardProject } from "../../agents/commands/project-guard.ts";
import type { LogEvent } from "../../agents/log/event.ts";
import { readLog } from "../../agents/log/run-files.ts";
import type { RunLog } from "../../agents/log/run-log.ts";
import { performRun } from "../../agents/run/command-run.ts";
import { withWrappedAgents } from "../../agents/run/execute.ts";
import { pickEnvironment } from "../../agents/run/login.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { childEnvironment, RUN_ID_NAME } from "../../core/process/environment.ts";
import { runProcess } from "../../core/process/run.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { findProjectRoot, LAYER_FOLDER } from "../../core/project/paths.ts";
import { approveProject, hashProject, revokeApproval } from "../../core/project/trust/approval.ts";
import { readCurrentHash, trustFolder } from "../../core/project/trust/store.ts";
import { EVALUATORS } from "../evaluators/roster.ts";
import { removeTree } from "../files/tree.ts";
import { receiveFiles } from "../run/plan-files.ts";
import type { EndedAttempt, TaskOutcome, TaskRun, TrialRuntime } from "../run/runtime.ts";
import { JUDGE_PREFIX, openWorkFolder, type WorkFolder } from "../run/workspace.ts";
import { findSandboxProblem, runGraderIn } from "../sandbox/bubblewrap.ts";
import { sandboxTrial } from "../sandbox/trial-sandbox.ts";
import type { BenchStore } from "../store/store.ts";
import type { AgentRequest } from "../suite/evaluator.ts";
import type { CaseTask } from "../suite/suite.ts";
import type { TrialPlan } from "../suite/trial.ts";
import type { BenchArguments } from "./arguments.ts";
import type { FindAgent } from "./plan-trials.ts";

export interface TrialRuntimeOptions {
  readonly store: Pick<BenchStore, "putContent" | "getContent">;
  readonly findAgent: FindAgent;
  readonly keep: BenchArguments["keep"];
  readonly raw: BenchArguments["raw"];
  /** What the workspaces' own files may say to agents. */
  readonly guardFlags: Pick<BenchArguments, "allowHooksOff" | "projectSettings">;
}

/** A runtime with a work folder of its own, which goes when it is closed. */
export interface OpenTrialRuntime extends TrialRuntime {
  close(): Promise<void>;
}

export const keptFolder = (stateDir: string): string => join(stateDir, "bench", "kept");

export async function openTrialRuntime(
  options: TrialRuntimeOptions,
  bench: BundledContext,
): Promise<OpenTrialRuntime> {
  const { store, findAgent } = options;
  const { context, program } = bench;
  const work = await openWorkFolder({
    stateDir: program.stateDir,
    env: context.env.forChild(),
    note: (line) => context.write(`${line}\n`, "stderr"),
  });
  const environment = makeEnvironment(context, work);
  const ask = makeAsk(options, { context, program, environment });
  return {
    workDir: work.folder,
    worker: `${hostname()}:${process.pid}`,
    findEvaluator: EVALUATORS.find,
    runTask: (run) =>
      inSandbox({ ...run, ...run.plan.agent, network: null }, { findAgent, bench }, () =>
        runTask(run, { ask, guardFlags: options.guardFlags, bench }),
      ),
    askAgent: async (request, { plan, signal }) => {
      const logDir = await mkdtemp(join(work.folder, JUDGE_PREFIX));
      const judge = { ...request, env: [], timeoutMs: JUDGE_TIMEOUT_MS, signal, logDir };
      // A judge needs its model, whatever the agent that it judges may reach.
      const sandbox = { plan, ...request, network: true };
      return inSandbox(sandbox, { findAgent, bench }, () => ask(judge)).finally(() =>
        removeTree(logDir),
      );
    },
    runCommand: async (name, args, signal) =>
      (await context.dispatch({ name, args, signal })).result,
    graderRunner: ({ agent, suiteFolder }) =>
      agent.sandbox.kind === "none"
        ? runProcess
        : runGraderIn({ stateDir: program.stateDir, suiteFolder }),
    environment,
    receive: (plan) => receiveFiles(plan, { store, workDir: work.folder }),
    store: (bytes) => store.putContent(bytes),
    inheritTrust: (folder, { suiteFolder }) =>
      inheritTrust(folder, { suiteFolder, stateDir: program.stateDir }),
    dispose: (folder, ended) =>
      disposeAttemptFolder(folder, ended, { keep: options.keep, stateDir: program.stateDir }),
    close: work.close,
  };
}

function makeEnvironment(
  { env }: CommandContext,
  { runId, temporary }: WorkFolder,
): TrialRuntime["environment"] {
  const source = env.forChild();
  return (names) => ({
    ...childEnvironment({ source, declared: names, inheritEnv: false }),
    // No resident for a trial: what one leaves must not meet another.
    ADJ_RESIDENT: "off",
    TMPDIR: temporary,
    [RUN_ID_NAME]: runId,
  });
}

const JUDGE_TIMEOUT_MS = 300_000;

interface AskOptions extends AgentRequest {
  readonly env: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly logDir: string;
  readonly usdLimit?: number | null;
}

type AskAgent = (request: AskOptions) => Promise<RunLog>;

function makeAsk(
  { findAgent, keep, raw: isRaw, guardFlags }: TrialRuntimeOptions,
  { context, program, environment }: Pick<TrialRuntime, "environment"> & BundledContext,
): AskAgent {
  const source = context.env.forChild();
  return async (request) => {
    const { adapter, here, program: started } = await findAgent(request.agent);
    const env = { ...pickEnvironment(adapter, source), ...environment(request.env) };
    const { allowHooksOff, projectSettings } = guardFlags;
    const where = { agent: adapter.name, workspaceDir: request.folder, env };
    const guarded = { ...where, allowHooksOff, projectSettings };
    const leftOut = await guardProject(guarded, { context, program });
    const spending = watchCost(request.usdLimit ?? null);
    const { keptLog } = await performRun(
      adapter,
      {
        config: { ...request.config, prompt: request.prompt },
        workspaceDir: request.folder,
        timeout: request.timeoutMs,
        env,
        ...leftOut,
        runId: newId(),
        logDir: request.logDir,
        agentVersion: here.version ?? null,
        ...(started === null ? {} : { program: started }),
      },
      // What it printed is in its log; the raw files stay beside a workspace that is kept.
      {
        signal: AbortSignal.any([request.signal, spending.signal]),
        onEvent: spending.note,
        isRaw,
        publish: (type, data) => program.publish(context, type, data),
        ...(keep === "never" ? { rawLimitBytes: 0 } : {}),
      },
    );
    // A result is kept for a long time and shown to others.
    return keptLog;
  };
}

/** Stops an agent that says what it costs as it goes; of others it is known when they are done. */
function watchCost(limit: number | null) {
  const spent = new AbortController();
  let steps = 0;
  const note = (event: LogEvent): void => {
    if (limit === null || event.kind !== "usage" || event.costUsd === null) return;
    if (event.scope === "step") steps += event.costUsd;
    if (Math.max(steps, event.costUsd) > limit) spent.abort();
  };
  return { signal: spent.signal, note };
}

async function runTask(
  run: TaskRun,
  {
    ask,
    guardFlags,
    bench,
  }: { ask: AskAgent; bench: BundledContext } & Pick<TrialRuntimeOptions, "guardFlags">,
): Promise<TaskOutcome> {
  const { agent, timeoutMs, usdLimit = null } = run.plan;
  const { task, env } = run.plan.case;
  if (task.kind === "command") return runCommandTask(task, run, { guardFlags, bench });
  const { text: prompt } = task;
  const { agent: name, config } = agent;
  const log = await ask({ ...run, agent: name, config, prompt, env, timeoutMs, usdLimit });
  return { log, prompt };
}

interface SandboxedRun extends Pick<AgentRequest, "agent" | "config" | "folder"> {
  readonly plan: TrialPlan;
  /** Null where the trial's own setting counts. */
  readonly network: boolean | null;
}

/** The work of an agent, in the sandbox that its trial was planned with. */
async function inSandbox<Result>(
  { plan, agent, config, folder, network }: SandboxedRun,
  { findAgent, bench }: { readonly findAgent: FindAgent; readonly bench: BundledContext },
  work: () => Promise<Result>,
): Promise<Result> {
  const { sandbox } = plan.agent;
  if (sandbox.kind === "none") return work();
  const { context, program } = bench;
  const problem = await findSandboxProblem(context.env.forChild());
  // A result without the sandbox would be taken for one with it.
  if (problem !== null) throw new Error(problem);
  const { adapter } = await findAgent(agent);
  const { stateDir, configDir } = program;
  const { mounts } = sandbox;
  const sandboxed = { plan, adapter, config, folder, mounts, stateDir, configDir };
  return withWrappedAgents(
    sandboxTrial({ ...sandboxed, network: network ?? sandbox.network }),
    work,
  );
}

async function disposeAttemptFolder(
  folder: string,
  { plan, attempt, isPassed }: EndedAttempt,
  { keep, stateDir }: { keep: BenchArguments["keep"]; stateDir: string },
): Promise<void> {
  const isKept = keep === "always" || (keep === "failed" && !isPassed);
  if (!isKept) return removeTree(folder);
  const kept = join(keptFolder(stateDir), plan.runId.slice(0, 8));
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const name = plan.key.replaceAll(/[^\w.=-]/g, "_");
  await rename(folder, join(kept, `${name}_${attempt}`));
}

// A case whose task is a Markdown command: the very command, run by the trial's agent in the trial's folder.

type CommandTask = Extract<CaseTask, { kind: "command" }>;

async function runCommandTask(
  { name, args }: CommandTask,
  { plan, folder, signal }: TaskRun,
  {
    guardFlags,
    bench: { context },
  }: { readonly guardFlags: TrialRuntimeOptions["guardFlags"]; bench: BundledContext },
): Promise<TaskOutcome> {
  const { agent, timeoutMs } = plan;
  const settings = Object.entries(agent.config).flatMap(([key, value]) => [
    "--param",
    `${key.replaceAll("_", "-")}=${JSON.stringify(value)}`,
  ]);
  const flags = [
    ...(guardFlags.allowHooksOff ? ["--allow-hooks-off"] : []),
    ...(guardFlags.projectSettings ? ["--project-settings"] : []),
  ];
  const outcome = await context.dispatch({
    name,
    args: [...args, ...flags, "--agent", agent.agent, "--timeout", `${timeoutMs}ms`, ...settings],
    workingDirectory: folder,
    signal,
  });
  const { logPath } = asRecord(outcome.result.metadata);
  if (typeof logPath !== "string")
    throw new Error(
      `\`${name}\` ran no agent: ${String(outcome.result.errorOutput ?? outcome.kind)}`,
    );
  const log = readLog(dirname(logPath));
  const prompt = log.messages.find(({ role }) => role === "user")?.content ?? `\`${name}\``;
  return { log, prompt };
}

/** A workspace is trusted while its agent runs where it holds exactly what is trusted in the suite's project. */
async function inheritTrust(
  folder: string,
  { suiteFolder, stateDir }: { readonly suiteFolder: string; readonly stateDir: string },
): Promise<() => void> {
  const nothing = () => undefined;
  if (!existsSync(join(folder, LAYER_FOLDER))) return nothing;
  const trusted = readCurrentHash(trustFolder(stateDir, findProjectRoot(suiteFolder)));
  if (trusted === null || trusted !== (await hashProject(folder))) return nothing;
  await approveProject(folder, stateDir, trusted);
  return () => void revokeApproval(folder, stateDir);
}
