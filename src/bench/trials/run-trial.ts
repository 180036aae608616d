// One try of one trial: workspace, setup, agent, snapshot, evaluators, teardown. Every ending is a result.
import { mkdir } from "node:fs/promises";
import { uptime } from "node:os";
import { join } from "node:path";
import { monotonicMs } from "../../monotonic-ms.ts";
import { endInhabitants } from "../../process/end-inhabitants.ts";
import type { Claim } from "../queue.ts";
import type { TrialResult } from "../trial.ts";
import { type Course, composeResult, NOTHING } from "./compose-result.ts";
import { endingOfGrades, endingOfRun } from "./decide-ending.ts";
import { hasDone, judgeWork, keepBase } from "./judge-work.ts";
import { runStep } from "./run-step.ts";
import type { TrialShop } from "./trial-shop.ts";
import type { TryPlace } from "./try-place.ts";
import { makeWorkspace } from "./workspace.ts";

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
    return { ...NOTHING, reason: messageOf(error) };
  });
  const durationMs = Math.round(monotonicMs() - began);
  const result = composeResult(claim, course, { startedAt, durationMs, worker: shop.worker });
  return { result, isLasting: course.isLasting === true };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function runCourse(claim: Claim, shop: TrialShop, signal: AbortSignal): Promise<Course> {
  if (claim.isOverBudget)
    return { ...NOTHING, ending: "limit", reason: "the budget of the run is spent" };
  const since = uptime();
  const plan = await shop.receive(claim.plan);
  const env = shop.environment(plan.case.env);
  const { workDir } = shop;
  const workspace = await makeWorkspace({ source: plan.case.workspace, workDir, env, signal });
  const place: TryPlace = { ...workspace, plan, shop, env, signal, since };
  let course: Course | null = null;
  let problem: string | null = null;
  try {
    course = await runInside(place);
  } finally {
    problem = await tearDown(place, claim, course);
  }
  // What is known of the agent stays known; that something was left behind is said.
  return problem === null || course.reason !== null ? course : { ...course, reason: problem };
}

async function runInside(place: TryPlace): Promise<Course> {
  const { plan, shop, folder, signal } = place;
  for (const step of plan.case.setup) await runStep(step, place);
  const isGraded = plan.case.evaluators.length > 0;
  const base = isGraded ? await keepBase(place) : null;
  const logDir = join(place.place, "log");
  await mkdir(logDir);
  const distrust = await shop.inheritTrust(folder, plan);
  const outcome = await shop
    .runTask({
      task: plan.case.task,
      agent: plan.agent,
      env: plan.case.env,
      folder,
      logDir,
      timeoutMs: plan.timeoutMs,
      signal,
    })
    .finally(distrust);
  const { log } = outcome;
  const artifacts = { "log.json": await shop.store(Buffer.from(JSON.stringify(log))) };
  signal.throwIfAborted();
  const ended = endingOfRun(log);
  if (ended !== null) return { ...NOTHING, ...ended, log, artifacts };
  if (base === null) {
    const graded = endingOfGrades({ evaluations: [], didAnything: hasDone(log) });
    return { ...NOTHING, ...graded, log, artifacts };
  }
  return judgeWork(place, { outcome, base, artifacts });
}

/** What went wrong with it, null where nothing did. */
async function tearDown(
  place: TryPlace,
  { attempt }: Claim,
  course: Course | null,
): Promise<string | null> {
  const { plan, shop } = place;
  const signal = new AbortController().signal;
  const problems: string[] = [];
  const attemptTo = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => problems.push(`afterwards: ${messageOf(error)}`));
  };
  for (const step of plan.case.teardown) await attemptTo(() => runStep(step, { ...place, signal }));
  const isBare = plan.case.workspace.kind === "empty" && plan.case.evaluators.length === 0;
  // Before it was graded everybody was ended; where there is nothing to work on, nobody is looked for.
  const isClear = isBare || (course !== null && course.evaluations.length > 0);
  if (!isClear) await attemptTo(() => endInhabitants({ folder: place.place, since: place.since }));
  const isPassed = course?.ending === "passed";
  await attemptTo(() => shop.dispose(place.place, { plan, attempt, isPassed }));
  return problems[0] ?? null;
}
