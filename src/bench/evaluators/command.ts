// An Adjutant command decides. It is given the trial as JSON and says a score.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { textOfOutput } from "../../core/command/result.ts";
import { lastLineOf } from "../../core/process/command-spec.ts";
import { type Evaluator, type Grading, gradeScore, readOptionsBy } from "../suite/evaluator.ts";
import { readScore } from "./test-score.ts";

const text = z.string().check(z.minLength(1));
const COMMAND = z.union(
  [
    text,
    z.strictObject({
      name: text,
      args: z.optional(z.array(z.string())),
      pass: z.optional(z.number().check(z.gte(0), z.lte(1))),
    }),
  ],
  { error: "must be the name of a command, or a map with `name` and `args`" },
);

export const commandEvaluator: Evaluator<z.infer<typeof COMMAND>> = {
  type: "command",
  description: "an Adjutant command that is given the trial as JSON and answers with a score",
  readOptions: readOptionsBy(COMMAND),
  files: () => [],
  grade: async (options, grading) => {
    const { name, args = [], pass = 1 } = typeof options === "string" ? { name: options } : options;
    const result = await grading.runCommand(name, [...args, await describeTrial(grading)]);
    if (!result.success) {
      const problem = lastLineOf(textOfOutput(result.errorOutput ?? ""));
      const why = problem === null ? "" : `: ${problem}`;
      throw new Error(`\`${name}\` exited with ${result.exitCode}${why}`);
    }
    const reading = readScore("json", textOfOutput(result.output));
    if (reading === null)
      throw new Error(`\`${name}\` said no score: \`{"score": 0.8, "message": "…"}\`, from 0 to 1`);
    return gradeScore(reading.score, pass, reading.message);
  },
};

/** The name of the command in options that were checked when the suite was read. */
export const commandNameIn = (options: unknown): string => {
  const checked = COMMAND.parse(options);
  return typeof checked === "string" ? checked : checked.name;
};

/** Linux takes no argument of 131,072 bytes. */
const MAX_ARGUMENT_BYTES = 120_000;

/** What the command is given as its last argument; a trial too long for that is in `trial_file` alone. */
async function describeTrial(grading: Grading): Promise<string> {
  const { caseId, agentId, prompt, log } = grading;
  const workspace = await grading.copySnapshot();
  const folder = grading.newFolder();
  await mkdir(folder, { recursive: true });
  const file = join(folder, "trial.json");
  const brief = { case: caseId, agent: agentId, workspace, trial_file: file };
  const whole = JSON.stringify({ ...brief, prompt, log });
  await writeFile(file, whole);
  return Buffer.byteLength(whole) <= MAX_ARGUMENT_BYTES ? whole : JSON.stringify(brief);
}
