// Another agent grades by a rubric. It says a score for each criterion; the score of the whole is ours.
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod/mini";
import { answerText } from "../../agents/answer-text.ts";
import { namedFiles, placeAgentFiles } from "../agent-files.ts";
import type { Evaluator, Grading } from "../evaluator.ts";
import { quantile } from "../statistics/spread.ts";
import { makeTreeReadOnly } from "../trials/tree-files.ts";
import { gradeScore } from "./grade.ts";
import { WORKSPACE, writeJudgePrompt } from "./judge-prompt.ts";
import { type JudgeVerdict, readVerdict } from "./judge-verdict.ts";
import { readOptionsBy } from "./read-options.ts";
import { type Criterion, findRubricProblem, readRubric } from "./rubric.ts";

const text = z.string().check(z.minLength(1));
const JUDGE = z.strictObject({
  agent: text,
  model: z.optional(text),
  config: z.optional(z.record(z.string(), z.unknown())),
  rubric: text,
  repeat: z.optional(z.int().check(z.minimum(1), z.maximum(9))),
  /** So many of the repeats must have been usable; more than half by default. */
  quorum: z.optional(z.int().check(z.minimum(1))),
  pass: z.optional(z.number().check(z.gte(0), z.lte(1))),
});
type Options = z.infer<typeof JUDGE>;

const readJudge = readOptionsBy(JUDGE);

export const judge: Evaluator<Options> = {
  type: "judge",
  description: "an agent that grades each criterion of a rubric",
  readOptions: (raw) => {
    const reading = readJudge(raw);
    if (reading.kind === "invalid") return reading;
    const { repeat = 1, quorum = 1 } = reading.options;
    if (quorum <= repeat) return reading;
    return {
      kind: "invalid",
      path: ["quorum"],
      problem: `\`quorum\` is above \`repeat\`, ${repeat}`,
    };
  },
  files: ({ rubric, config = {} }) => [rubric, ...namedFiles(config)],
  grade: async (options, grading) => {
    const { repeat = 1, pass = 0.5, quorum = Math.floor(repeat / 2) + 1 } = options;
    const rubric = await readFile(resolve(grading.suiteFolder, options.rubric), "utf8");
    const criteria = readRubric(rubric);
    const problem = findRubricProblem(criteria);
    if (problem !== null) throw new Error(`\`${options.rubric}\` ${problem}`);
    const opinions: Opinion[] = [];
    for (let round = 0; round < repeat; round++)
      opinions.push(await askOnce(options, grading, { rubric, criteria }));
    await grading.keep("verdicts.json", JSON.stringify(opinions.map(describeOpinion), null, 2));
    const verdicts = opinions.flatMap(({ verdict }) => verdict ?? []);
    if (verdicts.length < quorum)
      throw new Error(
        `the judge gave ${verdicts.length} usable verdicts of ${repeat}, at least ${quorum} are needed: ${opinions.find(({ verdict }) => verdict === null)?.problem}`,
      );
    const costs = opinions.flatMap(({ usd }) => usd ?? []);
    const grade = concludeVerdicts(criteria, verdicts, pass);
    if (costs.length === 0) return grade;
    const judgeUsd = costs.reduce((sum, usd) => sum + usd, 0);
    return { ...grade, metrics: { ...grade.metrics, judge_usd: judgeUsd } };
  },
};

/** What came of asking once. */
interface Opinion {
  readonly verdict: JudgeVerdict | null;
  /** Why it is none. */
  readonly problem: string;
  readonly usd: number | null;
}

const describeOpinion = ({ verdict, problem, usd }: Opinion): object => ({
  ...(verdict === null ? { problem } : { criteria: Object.fromEntries(verdict) }),
  usd,
});

async function askOnce(
  { agent, model, config = {} }: Options,
  grading: Grading,
  { rubric, criteria }: { rubric: string; criteria: readonly Criterion[] },
): Promise<Opinion> {
  const own = placeAgentFiles(config, grading.suiteFolder);
  const log = await grading.askAgent({
    agent,
    config: { ...own, ...(model === undefined ? {} : { model }) },
    prompt: writeJudgePrompt(grading, { rubric, criteria, mark: randomUUID() }),
    folder: await makeCourtroom(grading),
  });
  grading.signal.throwIfAborted();
  const usd = log.cost?.usd ?? null;
  const { status } = log.execution;
  if (status !== "success") {
    const problem = log.errors[0]?.message ?? `its run ended as ${status}`;
    return { verdict: null, problem, usd };
  }
  const answer = answerText(log);
  const said = answer.trim() === "" ? "nothing" : JSON.stringify(answer.slice(0, 200));
  const problem = `it said ${said} instead of a verdict on every criterion`;
  return { verdict: readVerdict(answer, criteria), problem, usd };
}

/**
 * The copy lies one folder down: whatever the agent wrote for agents to obey – instructions, settings, hooks –
 * is then not the judge's own.
 */
async function makeCourtroom(grading: Grading): Promise<string> {
  const copy = await grading.copySnapshot();
  const folder = grading.newFolder();
  await mkdir(folder, { recursive: true });
  await rename(copy, join(folder, WORKSPACE));
  await makeTreeReadOnly(folder);
  return folder;
}

function concludeVerdicts(
  criteria: readonly Criterion[],
  verdicts: readonly JudgeVerdict[],
  pass: number,
) {
  const scores = criteria.map(({ id, weight }) => ({
    id,
    weight,
    // The middle of the repeats: one that strays does not decide.
    score:
      quantile(
        verdicts.map((verdict) => verdict.get(id)?.score ?? 0),
        0.5,
      ) ?? 0,
  }));
  const weight = scores.reduce((sum, each) => sum + each.weight, 0);
  const total = scores.reduce((sum, each) => sum + each.weight * each.score, 0) / weight;
  const message = scores.map(({ id, score }) => `${id} ${score.toFixed(2)}`).join(", ");
  const metrics = Object.fromEntries(scores.map(({ id, score }) => [id, score]));
  return {
    ...gradeScore(total, pass, message),
    metrics: { ...metrics, verdicts: verdicts.length },
  };
}
