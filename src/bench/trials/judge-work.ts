// From the end of the agent to the grades: its processes are gone, and what is graded is out of its reach.
import { join, resolve } from "node:path";
import { answerText } from "../../agents/answer-text.ts";
import type { RunLog } from "../../agents/run-log.ts";
import { errorCode, problemOf } from "../../config/file-problem.ts";
import { endInhabitants } from "../../process/end-inhabitants.ts";
import { RUN_ID_NAME } from "../../process/run-id.ts";
import type { Snapshot } from "../evaluator.ts";
import { compareTrees } from "../evaluators/tree-changes.ts";
import { type Course, NOTHING } from "./compose-result.ts";
import { endingOfGrades } from "./decide-ending.ts";
import { gradeTrial } from "./grade-trial.ts";
import { stampPaths, stampTree } from "./stamp-tree.ts";
import { copyLockedTree, copyTree } from "./tree-files.ts";
import type { TaskOutcome } from "./trial-shop.ts";
import type { TryPlace } from "./try-place.ts";
import { removePlanted } from "./work-folder.ts";

/** What the agent started from; whatever it commits or removes, this is what it is compared with. */
export interface Base {
  readonly folder: string;
  readonly stamp: string;
  /** Of what the suite grades with. */
  readonly suiteStamp: string;
}

export async function keepBase(place: TryPlace): Promise<Base> {
  const folder = join(place.place, "base");
  await copyTree(place.folder, folder);
  return {
    folder,
    stamp: await stampTree(folder),
    suiteStamp: await stampPaths(gradingFiles(place)),
  };
}

const gradingFiles = ({ plan, shop }: TryPlace): string[] =>
  plan.case.evaluators.flatMap(({ type, options }) =>
    (shop.findEvaluator(type)?.files(options) ?? []).map((path) => resolve(plan.suiteFolder, path)),
  );

export const hasDone = (log: RunLog): boolean =>
  log.tool_calls.length > 0 || answerText(log).trim() !== "";

export interface Work {
  readonly outcome: TaskOutcome;
  readonly base: Base;
  readonly artifacts: Readonly<Record<string, string>>;
}

export async function judgeWork(place: TryPlace, work: Work): Promise<Course> {
  const { base, outcome, artifacts } = work;
  const { log } = outcome;
  const left = await endLeftBehind(place);
  if (left.length > 0) throw new Error(`the agent left processes that cannot be ended: ${left}`);
  if ((await stampTree(base.folder)) !== base.stamp) {
    const reason = "the agent changed what its work is compared with";
    return { ...NOTHING, ending: "failed", reason, log, artifacts };
  }
  if ((await stampPaths(gradingFiles(place))) !== base.suiteStamp)
    throw new Error("the files that the suite grades with changed while the agent ran");
  await removePlanted(place.shop.workDir, place.place);
  const snapshot = join(place.place, "snapshot");
  const problem = await copyLeft(place.folder, snapshot);
  if (problem !== null) return { ...NOTHING, ending: "failed", reason: problem, log, artifacts };
  return gradeSnapshot(place, work, snapshot);
}

/** The same disk took the base: these are about what the agent left, which must not spare it its grade. */
const UNGRADABLE = new Set(["ENAMETOOLONG", "ENOENT", "ENOTDIR", "EINVAL", "EILSEQ"]);

async function copyLeft(from: string, to: string): Promise<string | null> {
  try {
    await copyLockedTree(from, to);
    return null;
  } catch (error) {
    const code = errorCode(error);
    if (code === null || !UNGRADABLE.has(code)) throw error;
    // Nobody is left who could have removed it: it has no name that can be written as text.
    const problem = code === "ENOENT" ? "a name is not UTF-8" : problemOf(error);
    return `what the agent left cannot be graded: ${problem}`;
  }
}

/** Also who went elsewhere and knows the way back. */
const endLeftBehind = ({ place, since, shop, env }: TryPlace): Promise<number[]> =>
  endInhabitants({
    folder: place,
    since,
    around: { folder: shop.workDir, runId: env[RUN_ID_NAME] ?? "" },
  });

async function gradeSnapshot(
  place: TryPlace,
  { base, outcome, artifacts }: Work,
  folder: string,
): Promise<Course> {
  const { log } = outcome;
  const snapshot = { folder, baseFolder: base.folder };
  const stamp = await stampTree(snapshot.folder);
  const kept: Record<string, string> = { ...artifacts };
  const evaluations = await gradeTrial(place.plan.case.evaluators, {
    find: place.shop.findEvaluator,
    place: join(place.place, "grading"),
    grading: describeGrading(place, outcome, snapshot),
    keep: async (name, content) => {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      kept[name] = await place.shop.store(bytes);
    },
  });
  const isUntouched =
    (await stampTree(snapshot.folder)) === stamp && (await stampTree(base.folder)) === base.stamp;
  if (!isUntouched) throw new Error("something wrote to what was being graded");
  const changes = await compareTrees(base.folder, snapshot.folder);
  const didAnything = hasDone(log) || changes.length > 0;
  return {
    ...endingOfGrades({ evaluations, didAnything }),
    log,
    evaluations,
    artifacts: kept,
  };
}

const describeGrading = (
  { plan, shop, env, signal }: TryPlace,
  { log, prompt }: TaskOutcome,
  snapshot: Snapshot,
) => ({
  snapshot,
  log,
  caseId: plan.case.id,
  agentId: plan.agent.id,
  prompt,
  source: plan.case.workspace,
  suiteFolder: plan.suiteFolder,
  env,
  signal,
  askAgent: (asking: Parameters<typeof shop.askAgent>[0]) => shop.askAgent(asking, signal),
  runCommand: (name: string, args: readonly string[]) => shop.runCommand(name, args, signal),
});
