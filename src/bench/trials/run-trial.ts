// One try of one trial: workspace, setup, agent, snapshot, evaluators, teardown. Every ending is a result.
import { uptime } from "node:os";
import { monotonicMs } from "../../monotonic-ms.ts";
import { endInhabitants } from "../../process/end-inhabitants.ts";
import type { Claim } from "../queue.ts";
import type { TrialResult } from "../trial.ts";
import { type Course, composeResult, NOTHING } from "./compose-result.ts";
import { endingOfGrades, endingOfRun } from "./decide-ending.ts";
import type { Gate } from "./gate.ts";
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

export interface TrialTurn {
  readonly signal: AbortSignal;
  /** Behind it an agent runs and its work is graded; what is left to tidy up keeps nobody waiting. */
  readonly gate: Gate;
}

export async function runTrial(
  claim: Claim,
  shop: TrialShop,
  { signal, gate }: TrialTurn,
): Promise<TrialOutcome> {
  const leave = await gate.enter(signal);
  const startedAt = new Date().toISOString();
  const began = monotonicMs();
  const tried = leave === null ? NEVER_TRIED : await tryOnce(claim, shop, signal).finally(leave);
  const durationMs = Math.round(monotonicMs() - began);
  const course = await leavePlace(tried, claim, shop);
  const result = composeResult(claim, course, { startedAt, durationMs, worker: shop.worker });
  return { result, isLasting: course.isLasting === true };
}

interface Try {
  readonly course: Course;
  /** Null where it came to none. */
  readonly place: TryPlace | null;
}

const NEVER_TRIED: Try = { course: { ...NOTHING, ending: "cancelled" }, place: null };

async function tryOnce(claim: Claim, shop: TrialShop, signal: AbortSignal): Promise<Try> {
  if (claim.isOverBudget)
    return {
      course: { ...NOTHING, ending: "limit", reason: "the budget of the run is spent" },
      place: null,
    };
  let place: TryPlace | null = null;
  try {
    place = await openPlace(claim, shop, signal);
    const course = await runInside(place);
    return { course: await tearDown(place, course), place };
  } catch (error) {
    // What a trial trips over harms no other: it is that trial's ending.
    const course: Course = signal.aborted
      ? { ...NOTHING, ending: "cancelled" }
      : { ...NOTHING, reason: messageOf(error) };
    return { course: place === null ? course : await tearDown(place, course), place };
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function openPlace(claim: Claim, shop: TrialShop, signal: AbortSignal): Promise<TryPlace> {
  const since = uptime();
  const plan = await shop.receive(claim.plan);
  const env = shop.environment(plan.case.env);
  const { workDir } = shop;
  const workspace = await makeWorkspace({ source: plan.case.workspace, workDir, env, signal });
  return { ...workspace, plan, shop, env, signal, since };
}

async function runInside(place: TryPlace): Promise<Course> {
  const { plan, shop, folder, signal } = place;
  for (const step of plan.case.setup) await runStep(step, place);
  const isGraded = plan.case.evaluators.length > 0;
  const base = isGraded ? await keepBase(place) : null;
  const distrust = await shop.inheritTrust(folder, plan);
  const outcome = await shop
    .runTask({
      task: plan.case.task,
      agent: plan.agent,
      env: plan.case.env,
      folder,
      logDir: place.place,
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

/** Its own steps, and whoever the agent left. */
async function tearDown(place: TryPlace, course: Course): Promise<Course> {
  const { plan } = place;
  const signal = new AbortController().signal;
  const isBare = plan.case.workspace.kind === "empty" && plan.case.evaluators.length === 0;
  // Before it was graded everybody was ended; where there is nothing to work on, nobody is looked for.
  const isClear = isBare || course.evaluations.length > 0;
  const work = plan.case.teardown.map((step) => () => runStep(step, { ...place, signal }));
  const look = () => endInhabitants({ folder: place.place, since: place.since });
  return afterwards(course, isClear ? work : [...work, look]);
}

function leavePlace({ course, place }: Try, { attempt }: Claim, shop: TrialShop): Promise<Course> {
  if (place === null) return Promise.resolve(course);
  const ended = { plan: place.plan, attempt, isPassed: course.ending === "passed" };
  return afterwards(course, [() => shop.dispose(place.place, ended)]);
}

/** What is known of the agent stays known; that something went wrong after it is said. */
async function afterwards(
  course: Course,
  work: readonly (() => Promise<unknown>)[],
): Promise<Course> {
  let { reason } = course;
  for (const step of work)
    await step().catch((error: unknown) => {
      reason ??= `afterwards: ${messageOf(error)}`;
    });
  return { ...course, reason };
}
