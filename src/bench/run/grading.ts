// From the end of the agent to the grades: its processes are gone, and what is graded is out of its reach.

import { existsSync, realpathSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { answerText, type RunLog } from "../../agents/log/run-log.ts";
import { messageOf } from "../../core/command/fault.ts";
import { monotonicMs } from "../../core/command/time.ts";
import { RUN_ID_NAME } from "../../core/process/environment.ts";
import { killProcessesUsing } from "../../core/process/kill-users.ts";
import { describeFileError, fileErrorCode } from "../../core/project/files.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import { compareTrees, removeLinks, stampPaths, stampTree } from "../files/compare-trees.ts";
import { copyLockedTree, copyTree } from "../files/tree.ts";
import { writePatch } from "../files/write-patch.ts";
import type { Evaluator, Grading, Snapshot } from "../suite/evaluator.ts";
import type { EvaluatorEntry } from "../suite/suite.ts";
import type { Evaluation } from "../suite/trial.ts";
import { type AttemptResult, EMPTY_ATTEMPT, endingOfGrades } from "./endings.ts";
import { detectIntruders, type GradingWatch, watchGrading } from "./grading-watch.ts";
import type { AttemptContext, TaskOutcome } from "./runtime.ts";
import { removePlanted } from "./workspace.ts";

/** What the agent started from; whatever it commits or removes, this is what it is compared with. */
export interface Base {
  readonly folder: string;
  readonly stamp: string;
  /** The stamp of the files that the suite grades with. */
  readonly suiteStamp: string;
}

export async function keepBase(context: AttemptContext): Promise<Base> {
  const folder = join(context.root, "base");
  await copyTree(context.folder, folder);
  return {
    folder,
    stamp: await stampTree(folder),
    suiteStamp: await stampPaths(gradingFiles(context)),
  };
}

const gradingFiles = ({ plan, runtime }: AttemptContext): string[] =>
  plan.case.evaluators.flatMap(({ type, options }) =>
    (runtime.findEvaluator(type)?.files(options) ?? []).map((path) =>
      resolve(plan.suiteFolder, path),
    ),
  );

export const hasDone = (log: RunLog): boolean =>
  log.tool_calls.length > 0 || answerText(log).trim() !== "";

export interface Work {
  readonly outcome: TaskOutcome;
  readonly base: Base;
  readonly artifacts: Readonly<Record<string, string>>;
}

export async function judgeWork(context: AttemptContext, work: Work): Promise<AttemptResult> {
  const { base, outcome, artifacts } = work;
  const { log } = outcome;
  const left = await endLeftBehind(context);
  if (left.length > 0) throw new Error(`the agent left processes that cannot be ended: ${left}`);
  if ((await stampTree(base.folder)) !== base.stamp) {
    const reason = "the agent changed what its work is compared with";
    return { ...EMPTY_ATTEMPT, ending: "failed", reason, log, artifacts };
  }
  if ((await stampPaths(gradingFiles(context))) !== base.suiteStamp)
    throw new Error("the files that the suite grades with changed while the agent ran");
  await removePlanted(context.runtime.workDir, context.root);
  const snapshot = join(context.root, "snapshot");
  const problem = await copyLeft(context.folder, snapshot);
  if (problem !== null)
    return { ...EMPTY_ATTEMPT, ending: "failed", reason: problem, log, artifacts };
  return gradeSnapshot(context, work, snapshot);
}

/** The base was copied on the same disk, so these codes are about what the agent left; that must not spare it its grade. */
const UNGRADABLE = new Set(["ENAMETOOLONG", "ENOENT", "ENOTDIR", "EINVAL", "EILSEQ"]);

async function copyLeft(from: string, to: string): Promise<string | null> {
  try {
    await copyLockedTree(from, to);
    return null;
  } catch (error) {
    const code = fileErrorCode(error);
    if (code === null || !UNGRADABLE.has(code)) throw error;
    // Nobody is left who could have removed it: it has no name that can be written as text.
    const problem = code === "ENOENT" ? "a name is not UTF-8" : describeFileError(error);
    return `what the agent left cannot be graded: ${problem}`;
  }
}

/** Ends every process of the try, also one that left its folder and could come back. */
const endLeftBehind = ({ root, since, runtime, env }: AttemptContext): Promise<number[]> =>
  killProcessesUsing({
    folder: root,
    since,
    around: { folder: runtime.workDir, runId: env[RUN_ID_NAME] ?? "" },
  });

async function gradeSnapshot(
  context: AttemptContext,
  { base, outcome, artifacts }: Work,
  folder: string,
): Promise<AttemptResult> {
  const { log } = outcome;
  const snapshot = { folder, baseFolder: base.folder };
  const { evaluators } = context.plan.case;
  const grading = join(context.root, "grading");
  const [first] = evaluators.filter(({ type }) => RUNNING.has(type));
  // In a sandbox nobody is left who could write.
  const isWatched = context.plan.agent.sandbox.kind === "none";
  if (isWatched && first !== undefined)
    await detectIntruders(folder, join(grading, copyName(first.id, 1)));
  const kept: Record<string, string> = { ...artifacts };
  const evaluations = await gradeTrial(evaluators, {
    find: context.runtime.findEvaluator,
    folder: grading,
    watch: await watchGrading([folder, base.folder]),
    isKept: keptFrom(context),
    isWatched,
    grading: describeGrading(context, outcome, snapshot),
    keep: async (name, content) => {
      const bytes = typeof content === "string" ? Buffer.from(maskSecrets(content)) : content;
      kept[name] = await context.runtime.store(bytes);
    },
  });
  const changes = await compareTrees(base.folder, snapshot.folder);
  const didAnything = hasDone(log) || changes.length > 0;
  const hasPatch = Object.keys(kept).some((name) => name.endsWith(`/${PATCH}`));
  return {
    ...endingOfGrades({ evaluations, didAnything }),
    log,
    evaluations,
    artifacts: hasPatch ? kept : { ...kept, ...(await keepPatch(context, snapshot, changes)) },
  };
}

/** The suite with its solutions and hidden tests, and other trials; its own workspace it may link to. */
function keptFrom({ plan, runtime, root }: AttemptContext): (target: string) => boolean {
  const [suite, trials, own] = [plan.suiteFolder, runtime.workDir, root].map((one) =>
    realpathSync(one),
  );
  const isIn = (target: string, folder = ""): boolean => `${target}/`.startsWith(`${folder}/`);
  return (target) => !isIn(target, own) && (isIn(target, suite) || isIn(target, trials));
}

const PATCH = "changes.patch";

/** What the agent changed, for whoever looks at the trial; an evaluator may have kept the same. */
async function keepPatch(
  { runtime }: AttemptContext,
  { baseFolder, folder }: Snapshot,
  changes: Awaited<ReturnType<typeof compareTrees>>,
): Promise<Record<string, string>> {
  if (changes.length === 0) return {};
  const patch = await writePatch(changes, { base: baseFolder, after: folder });
  const text = patch.toString("latin1");
  const masked = Buffer.from(maskSecrets(text), "latin1");
  return { [PATCH]: await runtime.store(masked) };
}

/**
 * What an agent changed whose work is not graded: it failed, ran out of time, or nobody asked. A tree that
 * cannot be read is left out: it changes nothing about how the trial ended.
 */
export async function keepUngraded(
  context: AttemptContext,
  base: Base | null,
): Promise<Record<string, string>> {
  const baseFolder = base?.folder ?? join(context.root, "base");
  const folder = join(context.root, "snapshot");
  try {
    if (base === null && (await readdir(context.folder)).length === 0) return {};
    if ((await endLeftBehind(context)).length > 0) return {};
    await mkdir(baseFolder, { recursive: true });
    await copyLockedTree(context.folder, folder);
    const changes = await compareTrees(baseFolder, folder);
    return await keepPatch(context, { folder, baseFolder }, changes);
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return {};
  }
}

const describeGrading = (
  { plan, runtime, env, signal }: AttemptContext,
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
  runProgram: runtime.graderRunner(plan),
  askAgent: (asking: Parameters<typeof runtime.askAgent>[0]) =>
    runtime.askAgent(asking, { plan, signal }),
  runCommand: (name: string, args: readonly string[]) => runtime.runCommand(name, args, signal),
});

// Every evaluator in turn, on a snapshot that lies where the agent never was.

interface GradingContext {
  readonly find: (type: string) => Evaluator | null;
  /** A folder for the evaluators' own copies. */
  readonly folder: string;
  readonly watch: GradingWatch;
  /** Somebody of the agent's may be left: what an evaluator is done with is looked at until the end. */
  readonly isWatched: boolean;
  readonly grading: Omit<Grading, "copySnapshot" | "newFolder" | "keep">;
  /** What an agent may not lead those who grade to. */
  readonly isKept: (target: string) => boolean;
  /** Keeps an artifact of an evaluator; its name begins with that of the evaluator. */
  readonly keep: (name: string, bytes: Uint8Array | string) => Promise<void>;
}

async function gradeTrial(
  entries: readonly EvaluatorEntry[],
  context: GradingContext,
): Promise<Evaluation[]> {
  const evaluations: Evaluation[] = [];
  for (const entry of entries) {
    evaluations.push(await evaluate(entry, context));
    await context.watch.check(`while \`${entry.id}\` graded`);
  }
  return evaluations;
}

/** Evaluators that run programs in copies of their own. */
const RUNNING: ReadonlySet<string> = new Set(["run", "command", "judge"]);

const copyName = (id: string, number: number): string => `${id}-${number}`;

async function evaluate(entry: EvaluatorEntry, context: GradingContext): Promise<Evaluation> {
  const startedAt = monotonicMs();
  const { id, type, weight } = entry;
  const artifacts: string[] = [];
  const folders: string[] = [];
  const newFolder = () => {
    folders.push(join(context.folder, copyName(id, folders.length + 1)));
    return folders.at(-1) ?? "";
  };
  const grading: Grading = {
    ...context.grading,
    newFolder,
    copySnapshot: async () => {
      const copy = newFolder();
      const { folder, baseFolder } = context.grading.snapshot;
      await copyTree(folder, copy);
      await removeLinks(copy, baseFolder, context.isKept);
      return copy;
    },
    keep: async (name, bytes) => {
      artifacts.push(`${id}/${name}`);
      await context.keep(`${id}/${name}`, bytes);
    },
  };
  const facts = () => ({ id, type, weight, artifacts, durationMs: monotonicMs() - startedAt });
  try {
    const evaluator = context.find(type);
    if (evaluator === null) throw new TypeError(`there is no evaluator \`${type}\``);
    const grade = await evaluator.grade(entry.options, grading);
    if (context.isWatched)
      for (const folder of folders.filter((one) => existsSync(one)))
        await context.watch.seal(folder);
    // What an evaluator says is kept for a long time and shown to others.
    return { ...facts(), ...grade, message: maskSecrets(grade.message) };
  } catch (error) {
    context.grading.signal.throwIfAborted();
    const message = messageOf(error);
    return {
      ...facts(),
      status: "broken",
      score: null,
      message: maskSecrets(message),
      metrics: {},
    };
  }
}
