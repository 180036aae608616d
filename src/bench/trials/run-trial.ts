// One try of one trial: workspace, setup, agent, snapshot, evaluators, teardown. Every ending is a result.
import { join } from "node:path";
import { answerText } from "../../agents/answer-text.ts";
import type { RunLog } from "../../agents/run-log.ts";
import { monotonicMs } from "../../monotonic-ms.ts";
import { runProcess } from "../../process/run-process.ts";
import type { Asking, Evaluator, Grading } from "../evaluator.ts";
import { compareTrees } from "../evaluators/tree-changes.ts";
import type { Claim } from "../queue.ts";
import type { CaseTask, SetupStep, SuiteAgent } from "../suite.ts";
import type { TrialPlan, TrialResult } from "../trial.ts";
import { endingOfGrades, endingOfRun, type GradedEnding } from "./decide-ending.ts";
import { gradeTrial } from "./grade-trial.ts";
import { copyTree, makeWorkspace, removeTree, type Workspace } from "./workspace.ts";

/** What a trial needs of the program around it. */
export interface TrialShop {
  readonly workDir: string;
  readonly worker: string;
  readonly keep: "never" | "failed" | "always";
  readonly findEvaluator: (type: string) => Evaluator | null;
  /** The agent's run, with its log whatever happened. */
  runTask(run: TaskRun): Promise<TaskOutcome>;
  askAgent(asking: Asking, signal: AbortSignal): Promise<RunLog>;
  readonly runCommand: Grading["runCommand"];
  /** What setup, teardown and evaluators are given, with these names of the user's environment. */
  environment(names: readonly string[]): Record<string, string>;
  /** The plan with its files on this machine. */
  receive(plan: TrialPlan): Promise<TrialPlan>;
  /** Stored content; answers with its hash. */
  store(bytes: Uint8Array): Promise<string>;
}

export interface TaskRun {
  readonly task: CaseTask;
  readonly agent: SuiteAgent;
  readonly env: readonly string[];
  readonly folder: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface TaskOutcome {
  readonly log: RunLog;
  /** As the agent got it. */
  readonly prompt: string;
}

/** An infrastructure's failure: it says nothing about the agent. */
class Breakdown extends Error {}

export interface TrialOutcome {
  readonly result: TrialResult;
  /** Another try would end the same way. */
  readonly isLasting: boolean;
}

export async function runTrial(
  claim: Claim,
  shop: TrialShop,
  signal: AbortSignal,
): Promise<TrialOutcome> {
  const startedAt = new Date().toISOString();
  const began = monotonicMs();
  const course = await runCourse(claim, shop, signal).catch((error: unknown): Course => {
    if (signal.aborted) return { ...NOTHING, ending: "cancelled" };
    // What a trial trips over harms no other: it is that trial's ending.
    const reason = error instanceof Error ? error.message : String(error);
    return { ...NOTHING, ending: "infra", reason };
  });
  const durationMs = Math.round(monotonicMs() - began);
  const result = composeResult(claim, course, { startedAt, durationMs, worker: shop.worker });
  return { result, isLasting: course.isLasting === true };
}

interface Course extends GradedEnding {
  readonly log: RunLog | null;
  readonly evaluations: TrialResult["evaluations"];
  readonly artifacts: TrialResult["artifacts"];
}

const NOTHING: Course = {
  ending: "infra",
  reason: null,
  score: null,
  log: null,
  evaluations: [],
  artifacts: {},
};

async function runCourse(claim: Claim, shop: TrialShop, signal: AbortSignal): Promise<Course> {
  if (claim.isOverBudget)
    return { ...NOTHING, ending: "limit", reason: "the budget of the run is spent" };
  const plan = await shop.receive(claim.plan);
  const env = shop.environment(plan.case.env);
  const workspace = await makeWorkspace({
    source: plan.case.workspace,
    workDir: shop.workDir,
    env,
    signal,
  });
  let course: Course | null = null;
  try {
    course = await runInside(plan, workspace, { shop, env, signal });
    return course;
  } finally {
    await tearDown(plan, workspace, { shop, env, isPassed: course?.ending === "passed" });
  }
}

interface Inside {
  readonly shop: TrialShop;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function runInside(
  plan: TrialPlan,
  { place, folder }: Workspace,
  inside: Inside,
): Promise<Course> {
  const { shop, signal } = inside;
  for (const step of plan.case.setup) await runStep(step, folder, inside);
  const isGraded = plan.case.evaluators.length > 0;
  const baseFolder = join(place, "base");
  // Before the agent comes: whatever it commits or removes, this is what it started from.
  if (isGraded) await copyTree(folder, baseFolder);
  const outcome = await shop.runTask({
    task: plan.case.task,
    agent: plan.agent,
    env: plan.case.env,
    folder,
    timeoutMs: plan.timeoutMs,
    signal,
  });
  const { log } = outcome;
  const artifacts: Record<string, string> = {
    "log.json": await shop.store(toBytes(JSON.stringify(log))),
  };
  signal.throwIfAborted();
  const ended = endingOfRun(log);
  if (ended !== null) return { ...NOTHING, ...ended, log, artifacts };
  if (!isGraded) {
    const didAnything = hasDone(log);
    return { ...NOTHING, ...endingOfGrades({ evaluations: [], didAnything }), log, artifacts };
  }
  const snapshot = { folder: join(place, "snapshot"), baseFolder };
  await copyTree(folder, snapshot.folder);
  const evaluations = await gradeTrial(plan.case.evaluators, {
    find: shop.findEvaluator,
    place: join(place, "grading"),
    grading: {
      snapshot,
      log,
      caseId: plan.case.id,
      agentId: plan.agent.id,
      prompt: outcome.prompt,
      suiteFolder: plan.suiteFolder,
      env: inside.env,
      signal,
      askAgent: (asking) => shop.askAgent(asking, signal),
      runCommand: shop.runCommand,
    },
    keep: async (name, bytes) => {
      artifacts[name] = await shop.store(toBytes(bytes));
    },
  });
  const didAnything = hasDone(log) || (await compareTrees(baseFolder, snapshot.folder)).length > 0;
  return { ...endingOfGrades({ evaluations, didAnything }), log, evaluations, artifacts };
}

const toBytes = (content: Uint8Array | string): Uint8Array =>
  typeof content === "string" ? Buffer.from(content) : content;

const hasDone = (log: RunLog): boolean =>
  log.tool_calls.length > 0 || answerText(log).trim() !== "";

async function runStep(
  { run, timeoutMs }: SetupStep,
  cwd: string,
  { env, signal }: Pick<Inside, "env" | "signal">,
): Promise<void> {
  const spec = { executable: "sh", args: ["-c", run], env, cwd };
  const ending = await runProcess(spec, { signal, timeoutMs });
  signal.throwIfAborted();
  if (ending.kind === "exited" && ending.exitCode === 0) return;
  const how =
    ending.kind === "exited" ? `exited with ${ending.exitCode}` : `ended as ${ending.kind}`;
  const said = Buffer.from(ending.stderr).toString().trim().split("\n").at(-1) ?? "";
  throw new Breakdown(`\`${run}\` ${how}${said === "" ? "" : `: ${said}`}`);
}

async function tearDown(
  plan: TrialPlan,
  { place, folder }: Workspace,
  { shop, env, isPassed }: Pick<Inside, "shop" | "env"> & { readonly isPassed: boolean },
): Promise<void> {
  const signal = new AbortController().signal;
  try {
    for (const step of plan.case.teardown) await runStep(step, folder, { env, signal });
  } finally {
    const isKept = shop.keep === "always" || (shop.keep === "failed" && !isPassed);
    if (!isKept) await removeTree(place);
  }
}

type Facts = Pick<TrialResult, "startedAt" | "durationMs" | "worker">;

function composeResult({ plan, attempt }: Claim, course: Course, facts: Facts): TrialResult {
  const { log } = course;
  return {
    runId: plan.runId,
    key: plan.key,
    caseId: plan.case.id,
    agentId: plan.agent.id,
    repetition: plan.repetition,
    fingerprint: plan.fingerprint,
    ending: course.ending,
    reason: course.reason,
    score: course.score,
    evaluations: course.evaluations,
    agentVersion: log?.agent_info.version ?? null,
    model: log?.model_info.name ?? null,
    costUsd: log?.cost?.usd ?? null,
    tokens: log?.usage.total_tokens ?? null,
    turns: log?.turns ?? null,
    toolCalls: log === null ? null : log.tool_calls.length,
    agentMs: log?.execution.duration_ms ?? null,
    ...facts,
    attempts: attempt,
    artifacts: course.artifacts,
    reusedFrom: null,
  };
}
